/** How is a stretch of time said? */
import type { TFunction } from 'i18next';

/** Rounded to what is worth saying: seconds below a minute, minutes below an hour and a half, then hours. */
export function durationInWords(ms: number, t: TFunction): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 60) return t('time.seconds', { count: seconds });
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return t('time.minutes', { count: minutes });
  return t('time.hours', { count: Math.round(minutes / 60) });
}

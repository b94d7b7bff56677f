/** Which value is beneath a cell of an OpenDocument sheet? After OpenDocument 1.3, part 3, 19.385. */
import type { Attributes } from '../../zip/read-xml.ts';

type Value = number | string | boolean;

const SECONDS_PER_DAY = 86_400;

/** The number (of a time of day: its share of a day), the day (and time) in ISO form, or the boolean; undefined for words and errors. */
export function readOdsValue(attributes: Attributes): Value | undefined {
  if (attributes['calcext:value-type'] === 'error') return undefined;
  switch (attributes['office:value-type']) {
    case 'float':
    case 'percentage':
    case 'currency': {
      const written = attributes['office:value'] ?? '';
      const number = Number(written);
      return written.trim() === '' || !Number.isFinite(number) ? undefined : number;
    }
    case 'date':
      return readDay(attributes['office:date-value'] ?? '');
    case 'time':
      return readDuration(attributes['office:time-value'] ?? '');
    case 'boolean':
      return attributes['office:boolean-value'] === 'true';
    default:
      return undefined;
  }
}

/** What is shown of a cell whose program wrote no text for it. */
export function showOdsValue(value: Value | undefined, attributes: Attributes): string {
  if (value === undefined) return attributes['office:string-value'] ?? '';
  if (attributes['office:value-type'] === 'time') return showTime(Number(value));
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return String(value).replace('T', ' ');
}

function readDay(written: string): string | undefined {
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2}))?/.exec(written) ?? [];
  if (day === undefined || Number.isNaN(Date.parse(day))) return undefined;
  return time === undefined || time === '00:00:00' ? day : `${day}T${time}`;
}

function readDuration(written: string): number | undefined {
  const parts = /^(-?)P(?:(\d+)D)?T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.,]+)S)?$/.exec(written);
  if (!parts) return undefined;
  const [, sign, days, hours, minutes, seconds] = parts;
  const rest =
    Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds?.replace(',', '.') ?? 0);
  const total = Number(days ?? 0) + rest / SECONDS_PER_DAY;
  return Number.isFinite(total) ? (sign === '-' ? -total : total) : undefined;
}

function showTime(days: number): string {
  const seconds = Math.round(Math.abs(days) * SECONDS_PER_DAY);
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const sign = days < 0 ? '-' : '';
  return `${sign}${two(seconds / 3_600)}:${two((seconds % 3_600) / 60)}:${two(seconds % 60)}`;
}

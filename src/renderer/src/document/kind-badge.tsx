/** How is the kind of a document named? */
import { useTranslation } from 'react-i18next';
import type { DocumentKind } from '../../../api/types.ts';

export function KindBadge({ kind }: { kind: DocumentKind }) {
  const { t } = useTranslation();
  return <span className="badge">{t(`kind.${kind}`)}</span>;
}

import { useTranslation } from 'react-i18next';
import { Badge } from '#app/components/ui/badge.tsx';
import type { QuestionState } from '#app/features/approvals/talk/read-talk.server.ts';

/** Whether a question about an approval waits for its answer, as a word for lists. Needs the namespace approvals. */
export function QuestionBadge({ state }: { state: QuestionState }) {
  const { t } = useTranslation('approvals');
  if (state === null) return null;
  return state === 'open' ? <Badge tone="attention">{t('talk.open')}</Badge> : <Badge tone="info">{t('talk.answered')}</Badge>;
}

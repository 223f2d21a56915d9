import { useTranslation } from 'react-i18next';
import { Badge, type Tone } from '#app/components/ui/badge.tsx';
import type { RiskClass } from '#app/domain/inventory/agent-record.ts';
import type { ReviewState } from '#app/features/agents/inventory/load-inventory.server.ts';

const RISK_TONES: Record<RiskClass | 'none', Tone> = {
  none: 'attention',
  minimal: 'neutral',
  limited: 'neutral',
  high: 'attention',
  prohibited: 'danger',
};
const REVIEW_TONES: Record<ReviewState, Tone> = { none: 'neutral', planned: 'neutral', overdue: 'danger' };

export function RiskClassWord({ risk }: { risk: RiskClass | 'none' }) {
  const { t } = useTranslation('inventory');
  return <Badge tone={RISK_TONES[risk]}>{t(`risk.${risk}`)}</Badge>;
}

export function ReviewWord({ review }: { review: ReviewState }) {
  const { t } = useTranslation('inventory');
  return <Badge tone={REVIEW_TONES[review]}>{t(`review.${review}`)}</Badge>;
}

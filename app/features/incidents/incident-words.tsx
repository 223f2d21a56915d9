import { useTranslation } from 'react-i18next';
import { Badge, type Tone } from '#app/components/ui/badge.tsx';
import type { ClockState } from '#app/domain/incidents/clocks.ts';
import type { Harm, Regime, ReportStepId, Severity } from '#app/domain/incidents/incident.ts';
import type { IncidentState } from '#app/features/incidents/load-incidents.server.ts';

const STATE_TONES: Record<IncidentState, Tone> = { overdue: 'danger', open: 'attention', closed: 'neutral' };
const CLOCK_TONES: Record<ClockState, Tone> = {
  waiting: 'neutral',
  open: 'attention',
  overdue: 'danger',
  sent: 'ok',
  sentLate: 'attention',
};
const SEVERITY_TONES: Record<Severity, Tone> = { low: 'neutral', medium: 'attention', high: 'danger' };

export function IncidentStateWord({ state }: { state: IncidentState }) {
  const { t } = useTranslation('incidents');
  return <Badge tone={STATE_TONES[state]}>{t(`state.${state}`)}</Badge>;
}

export function ClockWord({ state }: { state: ClockState }) {
  const { t } = useTranslation('incidents');
  return <Badge tone={CLOCK_TONES[state]}>{t(`clock.${state}`)}</Badge>;
}

export function SeverityWord({ severity }: { severity: Severity }) {
  const { t } = useTranslation('incidents');
  return <Badge tone={SEVERITY_TONES[severity]}>{t(`severity.${severity}`)}</Badge>;
}

/** Words for laws, reports and harms. */
export function useIncidentWords() {
  const { t } = useTranslation('incidents');
  return {
    /** A law as it is called in short. */
    regime: (regime: Regime) => t(`regime.${regime}`),
    report: (step: ReportStepId) => t(`step.${step}`),
    harm: (harm: Harm | null) => t(`harm.${harm ?? 'none'}`),
    severity: (severity: Severity) => t(`severity.${severity}`),
  };
}

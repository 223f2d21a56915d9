import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '#app/components/text/locale-context.tsx';
import type { ControlStatus, Region, Sector } from '#app/domain/audit/compliance.ts';
import type { LawDay, Validity } from '#app/domain/audit/law-dates.ts';
import CircleCheck from '~icons/circle-check';
import CircleX from '~icons/circle-x';
import Clock from '~icons/clock';

const LOOKS = {
  compliant: { Icon: CircleCheck, tone: 'text-ok-ink', word: 'status.compliant' },
  nonCompliant: { Icon: CircleX, tone: 'text-danger-ink', word: 'status.nonCompliant' },
  underReview: { Icon: Clock, tone: 'text-attention-ink', word: 'status.underReview' },
} as const satisfies Record<ControlStatus, { word: string; [look: string]: unknown }>;

/** Only our technical controls for a law or standard are known: the words never say that it is met. */
export const CHECKED_WORDS = {
  compliant: 'checked.compliant',
  nonCompliant: 'checked.nonCompliant',
  underReview: 'checked.underReview',
} as const satisfies Record<ControlStatus, string>;

/** The three words for the state of a control, with icon and colour. */
export function ControlWord({ status }: { status: ControlStatus }) {
  const { t } = useTranslation('compliance');
  return <Word status={status}>{t(LOOKS[status].word)}</Word>;
}

/** The state of the technical controls for a law or standard. */
export function CheckedWord({ status }: { status: ControlStatus }) {
  const { t } = useTranslation('compliance');
  return <Word status={status}>{t(CHECKED_WORDS[status])}</Word>;
}

function Word({ status, children }: { status: ControlStatus; children: ReactNode }) {
  const { Icon, tone } = LOOKS[status];
  return (
    <span className={`font-semibold whitespace-nowrap ${tone}`}>
      <Icon aria-hidden="true" className="me-1.5 inline-block size-4 align-[-0.2em]" strokeWidth={2.25} />
      {children}
    </span>
  );
}

export function useRegionWord(): (region: Region) => string {
  const { t, i18n } = useTranslation('compliance');
  return (region) => {
    if (region === 'INTL') return t('international');
    const names = new Intl.DisplayNames(i18n.language, { type: 'region' });
    const [country = '', state] = region.split('-');
    const name = names.of(country === 'UK' ? 'GB' : country) ?? country;
    return state === undefined ? name : `${name} (${state})`;
  };
}

const SECTOR_WORDS = {
  finance: 'sector.finance',
  health: 'sector.health',
  public: 'sector.public',
  legal: 'sector.legal',
  industry: 'sector.industry',
  digital: 'sector.digital',
  education: 'sector.education',
} as const satisfies Record<Sector, string>;

export function useSectorWord(): (sector: Sector) => string {
  const { t } = useTranslation('compliance');
  return (sector) => t(SECTOR_WORDS[sector]);
}

const VALIDITY_WORDS = {
  inForce: 'validity.inForce',
  partly: 'validity.partly',
  coming: 'validity.coming',
  draft: 'validity.draft',
  superseded: 'validity.superseded',
} as const satisfies Record<Validity, string>;

export function useValidityWord(): (validity: Validity) => string {
  const { t } = useTranslation('compliance');
  return (validity) => t(VALIDITY_WORDS[validity]);
}

/** The day of a law as the reader writes it; its month where nobody says the day. */
export function useLawDay(): (day: LawDay) => string {
  const formats = useFormats();
  const { i18n } = useTranslation();
  return (day) =>
    day.length > 7
      ? formats.day(day)
      : new Intl.DateTimeFormat(i18n.language, { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(new Date(`${day}-01`));
}

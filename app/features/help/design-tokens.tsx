import { useTranslation } from 'react-i18next';
import { Logo, Wordmark } from '#app/components/look/logo.tsx';

/** Grounds with what may be written on them. */
const GROUNDS = [
  ['paper', 'bg-paper text-ink'],
  ['surface', 'bg-surface text-ink'],
  ['raised', 'bg-raised text-ink'],
  ['muted', 'bg-surface text-muted'],
  ['accent', 'bg-accent text-accent-ink'],
  ['accent-soft', 'bg-accent-soft text-accent'],
  ['ok', 'bg-ok text-ok-ink'],
  ['attention', 'bg-attention text-attention-ink'],
  ['danger', 'bg-danger text-danger-ink'],
  ['info', 'bg-info text-info-ink'],
] as const;

export function DesignColours() {
  return (
    <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
      {GROUNDS.map(([name, className]) => (
        <li key={name} className={`flex h-20 items-end rounded-lg border border-edge p-3 ${className}`}>
          <code>{name}</code>
        </li>
      ))}
    </ul>
  );
}

const STEPS = ['text-4xl', 'text-3xl', 'text-2xl', 'text-xl', 'text-lg', 'text-base', 'text-sm', 'text-xs'] as const;

export function DesignType() {
  const { t } = useTranslation(['design', 'common']);
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex items-center gap-6">
        <Wordmark name={t('common:productName')} />
        <Logo filled={2} of={3} className="size-8" />
      </div>
      <ul className="grid gap-2">
        {STEPS.map((step) => (
          <li key={step} className="grid items-baseline gap-x-6 sm:grid-cols-[6rem_minmax(0,1fr)]">
            <code className="text-sm text-muted">{step}</code>
            <span className={`${step} ${step === 'text-base' || step === 'text-sm' || step === 'text-xs' ? '' : 'font-semibold'}`}>
              {t('sample')}
            </span>
          </li>
        ))}
      </ul>
      <p className="max-w-measure">
        {t('paragraph')} <code>sha256</code>, <kbd>Ctrl B</kbd>
      </p>
    </div>
  );
}

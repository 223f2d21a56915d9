import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { useNamed } from '#app/components/text/named.ts';
import { Digest } from '#app/components/value/digest.tsx';
import { ValueView } from '#app/components/value/value-view.tsx';
import { DifferenceLines } from '#app/features/connections/difference-lines.tsx';
import type { LoadedCapability } from '#app/features/connections/load-connection.server.ts';

type Props = {
  capability: LoadedCapability;
  mayApprove: boolean;
  /** Values of the boxes that were ticked when the form was sent. */
  ticked: readonly string[];
};

/** One tool or skill: its description, whether it may be called, and its changes. Used inside the form that approves. */
export function CapabilityCard({ capability, mayApprove, ticked }: Props) {
  const { t } = useTranslation('connections');
  const format = useFormats();
  const { state, title, name } = capability;
  const shown = `${capability.id}:${capability.fingerprint}`;
  const file = href('/dashboard/plugins/capabilities/:capability', { capability: capability.id });
  const dollars = (value: number) => format.number(value, { style: 'currency', currency: 'USD', maximumFractionDigits: 4 });
  return (
    <li className="rounded-lg border border-line bg-surface p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-0">
          <h3 className="font-semibold">
            <bdi>{title}</bdi>
          </h3>
          <code dir="ltr" className="text-sm wrap-anywhere text-muted">
            {name}
          </code>
        </div>
        <StatusWord status={state} />
      </div>
      {capability.description === '' ? null : (
        <p className="mt-2 max-w-measure whitespace-pre-line">
          <bdi>{capability.description}</bdi>
        </p>
      )}
      <Findings capability={capability} />
      <Hints capability={capability} />
      {state === 'changed' ? (
        <div className="mt-3">
          <DifferenceLines label={t('capability.difference')} lines={capability.difference} />
        </div>
      ) : null}
      <div className="mt-3 flex flex-wrap items-baseline gap-x-6 gap-y-2 text-sm text-muted">
        <span>
          {t('capability.fingerprint')} <Digest value={capability.fingerprint} />
        </span>
        {capability.approved === null ? null : (
          <span>
            {t('capability.approvedBy', { name: capability.approved.by ?? t('capability.formerMember') })}{' '}
            <RelativeTime at={capability.approved.at} />
          </span>
        )}
      </div>
      {capability.price === null ? null : (
        <p className="mt-2 text-sm text-muted">
          {t('price.perMillion', { input: dollars(capability.price.input), output: dollars(capability.price.output) })}
        </p>
      )}
      <details className="mt-3">
        <summary className="cursor-pointer py-1 text-sm font-semibold">{t('capability.schemas')}</summary>
        <div className="mt-2 grid gap-3">
          <Schema value={capability.inputSchema} label={t('capability.input')} file={file} />
          <Schema value={capability.outputSchema} label={t('capability.output')} file={file} />
        </div>
      </details>
      {capability.approvable ? (
        <div className="mt-3">
          <label className="inline-flex min-h-11 items-center gap-3 font-semibold">
            <input type="checkbox" name="capability" value={shown} defaultChecked={ticked.includes(shown)} className="size-5" />
            {t('capability.choose', { title })}
          </label>
        </div>
      ) : null}
      {mayApprove && state === 'approved' ? (
        <div className="mt-3">
          <SubmitButton variant="quiet" size="small" name="intent" value={`withdraw:${capability.id}`}>
            {t('capability.withdraw', { title })}
          </SubmitButton>
        </div>
      ) : null}
    </li>
  );
}

/** Reasons to read before approving, each with its place and its words. */
function Findings({ capability }: { capability: LoadedCapability }) {
  const { t } = useTranslation('connections');
  const { findings, lookAlikes } = capability;
  if (findings.length === 0 && lookAlikes.length === 0) return null;
  return (
    <div className="mt-3">
      <Notice kind="danger" title={t('findings.title')}>
        <ul className="grid list-disc gap-2 ps-5">
          {lookAlikes.map((other) => (
            <li key={`${other.connection}/${other.name}`}>{t('findings.lookAlike', { name: other.name, connection: other.connection })}</li>
          ))}
          {findings.map((finding, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a place can hold several, and they never move
            <li key={index}>
              {t(FINDINGS[finding.kind], { place: finding.place })}
              <q className="block font-mono text-sm wrap-anywhere">
                <bdi>{finding.text}</bdi>
              </q>
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}

const FINDINGS = { hidden: 'findings.hidden', hiddenName: 'findings.hiddenName', instruction: 'findings.instruction' } as const;

/** The effect of a call as the peer states it, which the page says. */
function Hints({ capability }: { capability: LoadedCapability }) {
  const { t } = useTranslation('connections');
  const named = useNamed();
  const { effect, hints } = capability;
  return (
    <p className="mt-2 flex flex-wrap items-baseline gap-x-4 gap-y-1 text-sm">
      <Effect effect={effect} />
      {hints.map(({ name, value }) => (
        <span key={name} className="text-muted">
          {named(t(`hints.${name}`), value ? t('hints.yes') : t('hints.no'))}
        </span>
      ))}
      {hints.length === 0 ? null : <span className="text-muted">{t('hints.unverified')}</span>}
    </p>
  );
}

const EFFECTS = {
  reads: { className: 'text-ok-ink', words: 'effect.reads' },
  writes: { className: 'text-attention-ink', words: 'effect.writes' },
  destroys: { className: 'text-danger-ink', words: 'effect.destroys' },
  unstated: { className: 'text-attention-ink', words: 'effect.unstated' },
} as const;

/** The effect of a call, as the peer states it. */
export function Effect({ effect }: { effect: LoadedCapability['effect'] }) {
  const { t } = useTranslation('connections');
  const { className, words } = EFFECTS[effect];
  return <span className={`font-semibold ${className}`}>{t(words)}</span>;
}

function Schema({ value, label, file }: { value: LoadedCapability['inputSchema']; label: string; file: string }) {
  const { t } = useTranslation('connections');
  return (
    <div>
      <p className="mb-1 text-sm text-muted">{label}</p>
      {value === null ? <p className="text-sm">{t('capability.noSchema')}</p> : <ValueView value={value} label={label} file={file} />}
    </div>
  );
}

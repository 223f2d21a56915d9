import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useHydrated, withScriptsOnly } from '#app/components/live/hydrated.ts';
import { Notice } from '#app/components/page/notice.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { runtimeText } from '#app/components/text/runtime-text.ts';
import { Button, buttonClass } from '#app/components/ui/button.tsx';
import { CodeBlock } from '#app/components/value/copy/copied.tsx';
import type { Check, CheckState, Report } from '#app/features/audit/verifier/report.ts';
import { VerifierLinks } from '#app/features/audit/verifier-links.tsx';
import CircleCheck from '~icons/circle-check';
import CircleDashed from '~icons/circle-dashed';
import CircleX from '~icons/circle-x';
import Download from '~icons/download';

type Stage = { at: 'idle' } | { at: 'busy' } | { at: 'unavailable' } | { at: 'done'; report: Report };

/**
 * Verifies evidence here, with scripts, by the verifier that `npm run verify` uses; without scripts the evidence, the
 * verifier as a file and the command stand in its place. `evidence`: address of the bundle, `file`: its name, `serverKey`: the instance's key as this server names it.
 */
export function VerifyPanel({ evidence, file, serverKey }: { evidence: string; file: string; serverKey: string }) {
  const { t } = useTranslation('audit');
  const hydrated = useHydrated();
  const [stage, setStage] = useState<Stage>({ at: 'idle' });

  const verify = async () => {
    setStage({ at: 'busy' });
    try {
      const response = await fetch(evidence, { headers: { accept: 'application/json' } });
      if (!response.ok) throw new Error(`evidence: HTTP ${response.status}`);
      const { verifyEvidence } = await import('#app/features/audit/verifier/verify-evidence.ts');
      setStage({ at: 'done', report: await verifyEvidence(await response.json(), { key: serverKey }) });
    } catch {
      // Whatever stood in the way, nothing was verified, and the person can do one thing: try again.
      setStage({ at: 'unavailable' });
    }
  };

  return (
    <div>
      <div className="flex flex-wrap gap-2">
        <Button
          type="button"
          variant="primary"
          className={withScriptsOnly(hydrated)}
          aria-disabled={stage.at === 'busy'}
          onClick={stage.at === 'busy' ? undefined : verify}
        >
          {stage.at === 'busy' ? t('verify.busy') : stage.at === 'done' ? t('verify.again') : t('verify.button')}
        </Button>
        <a className={buttonClass('secondary')} href={evidence} download={file}>
          <Download aria-hidden="true" />
          {t('verify.download')}
        </a>
      </div>
      <div role="status" className="mt-4">
        {stage.at === 'done' ? <Findings report={stage.report} /> : null}
        {stage.at === 'unavailable' ? <Notice kind="attention" title={t('verify.unavailable')} /> : null}
      </div>
      <p className="mt-4 max-w-measure text-sm text-muted">{t('verify.offline')}</p>
      <div className="mt-2 grid grid-cols-1 gap-2">
        <VerifierLinks />
        <CodeBlock code={`node quorate-verify.mjs ${file} --key KEY`} name="quorate-verify.mjs" />
      </div>
      <p className="mt-2 max-w-measure text-sm text-muted">{t('verify.offlineNote')}</p>
    </div>
  );
}

const VERDICTS = {
  proven: { kind: 'ok', key: 'verify.verdictProven' },
  part: { kind: 'ok', key: 'verify.verdictPart' },
  failed: { kind: 'danger', key: 'verify.verdictFailed' },
  unpinned: { kind: 'attention', key: 'verify.verdictUnpinned' },
  incomplete: { kind: 'attention', key: 'verify.verdictIncomplete' },
} as const;

function Findings({ report }: { report: Report }) {
  const { t } = useTranslation('audit');
  const verdict = VERDICTS[report.verdict];
  return (
    <>
      <h3 className="mb-2 font-semibold">{t('verify.results')}</h3>
      <ul className="mb-4 divide-y divide-line border-y border-line">
        {report.checks.map((check) => (
          <Finding key={`${check.code} ${JSON.stringify(check.values)}`} check={check} />
        ))}
      </ul>
      <Notice kind={verdict.kind} title={t(verdict.key)}>
        {report.verdict === 'proven' || report.verdict === 'part' ? t('verify.serverKey') : null}
      </Notice>
    </>
  );
}

const STATES = {
  ok: { Icon: CircleCheck, className: 'text-ok-ink', key: 'verify.stateOk' },
  failed: { Icon: CircleX, className: 'text-danger-ink', key: 'verify.stateFailed' },
  unknown: { Icon: CircleDashed, className: 'text-attention-ink', key: 'verify.stateUnknown' },
} as const satisfies Record<CheckState, unknown>;

function Finding({ check }: { check: Check }) {
  const { t, i18n } = useTranslation('audit');
  const formats = useFormats();
  const { Icon, className, key } = STATES[check.state];
  const values = Object.fromEntries(
    Object.entries(check.values).map(([name, value]) => [
      name,
      typeof value === 'number' && name !== 'count' ? formats.number(value) : value,
    ]),
  );
  return (
    <li data-check={check.code} data-state={check.state} className="flex gap-3 py-2">
      <span className={`inline-flex w-24 shrink-0 items-center gap-1.5 font-semibold ${className}`}>
        <Icon aria-hidden="true" className="size-4" />
        {t(key)}
      </span>
      <span className="min-w-0 break-words">
        {runtimeText(i18n, 'audit', `checks.${check.code === 'keyPinned' ? 'keyOfServer' : check.code}`, values) ?? check.code}
      </span>
    </li>
  );
}

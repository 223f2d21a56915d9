import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Logo } from '#app/components/look/logo.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import Bot from '~icons/bot';
import CirclePause from '~icons/circle-pause';
import Wrench from '~icons/wrench';

const SAMPLE_DIGEST = '9f3c61d0a7e2';
const SAMPLE_ENTRY = 1204;

/** One run drawn as a ledger: MCP on one side of its line, A2A on the other, with stops and proofs across it. */
export function ProtocolDrawing() {
  const { t } = useTranslation('landing');
  const formats = useFormats();
  return (
    <figure className="self-center rounded-lg border border-line bg-surface p-4 sm:p-5">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line pb-3 text-sm">
        <span className="font-semibold">{t('drawing.title')}</span>
        <span className="text-muted">{t('drawing.caption')}</span>
      </figcaption>
      <div aria-hidden="true" className="grid grid-cols-[minmax(0,1fr)_2.5rem_minmax(0,1fr)] pt-4 text-xs font-semibold text-muted">
        <span>{t('drawing.tools')}</span>
        <span />
        <span>{t('drawing.agents')}</span>
      </div>
      <ol className="relative mt-2 grid gap-2.5 before:absolute before:inset-y-2 before:start-1/2 before:-ms-px before:border-s-2 before:border-line">
        <Side
          at="start"
          icon={<Wrench className="size-4" />}
          protocol={t('drawing.mcp')}
          title={t('drawing.tool.title')}
          text={t('drawing.tool.text')}
        />
        <Across tone="border-attention-ink/50 bg-attention" icon={<CirclePause className="size-5 text-attention-ink" />}>
          <p className="font-semibold text-attention-ink">{t('drawing.stop.title')}</p>
          <p>{t('drawing.stop.text')}</p>
        </Across>
        <Across tone="border-edge/60 bg-raised" icon={<Logo className="size-6" filled={3} of={5} />}>
          <p className="font-semibold">{t('drawing.vote.title')}</p>
          <p>
            {t('drawing.vote.text')}{' '}
            <code dir="ltr" className="font-mono text-muted">
              {SAMPLE_DIGEST}
            </code>
          </p>
        </Across>
        <Side
          at="end"
          icon={<Bot className="size-4" />}
          protocol={t('drawing.a2a')}
          title={t('drawing.agent.title')}
          text={t('drawing.agent.text')}
        />
        <Across tone="border-accent bg-accent-soft" icon={<Logo className="size-6" filled={9} />}>
          <p className="font-semibold text-accent">{t('drawing.proof.title', { entry: formats.number(SAMPLE_ENTRY) })}</p>
          <p>{t('drawing.proof.text')}</p>
        </Across>
      </ol>
    </figure>
  );
}

/** A call of one protocol, on its side of the line, tied to it by a hairline and a dot. */
function Side({
  at,
  icon,
  protocol,
  title,
  text,
}: {
  at: 'start' | 'end';
  icon: ReactNode;
  protocol: string;
  title: string;
  text: string;
}) {
  const start = at === 'start';
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)_2.5rem_minmax(0,1fr)] items-center">
      <div className={`row-start-1 rounded-md border border-edge/60 bg-surface px-3 py-2 text-sm ${start ? 'col-start-1' : 'col-start-3'}`}>
        <p className="flex items-center gap-1.5 font-mono text-xs text-muted">
          <span aria-hidden="true">{icon}</span>
          {protocol}
        </p>
        <p className="mt-1 font-semibold">{title}</p>
        <p className="text-muted">{text}</p>
      </div>
      <svg
        aria-hidden="true"
        viewBox="0 0 40 12"
        className={`col-start-2 row-start-1 h-3 w-10 ${start ? '' : '-scale-x-100'} rtl:[scale:-1_1] ${start ? '' : 'rtl:[scale:1_1]'}`}
      >
        <path d="M0 6H15" className="stroke-edge" strokeWidth="1.5" />
        <circle cx="20" cy="6" r="4.5" className="fill-surface stroke-accent" strokeWidth="2" />
      </svg>
    </li>
  );
}

/** Things about the whole run lie across its line. */
function Across({ tone, icon, children }: { tone: string; icon: ReactNode; children: ReactNode }) {
  return (
    <li className={`relative flex items-center gap-3 rounded-md border px-3 py-2 text-sm ${tone}`}>
      <span aria-hidden="true" className="grid w-7 shrink-0 place-items-center">
        {icon}
      </span>
      <div className="min-w-0">{children}</div>
    </li>
  );
}

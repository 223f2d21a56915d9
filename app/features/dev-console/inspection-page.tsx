import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { ScrollGroup } from '#app/components/data/scroll-group.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import type { ShownText } from '#app/components/value/shown-value.ts';
import { RestOfValue, ValueView } from '#app/components/value/value-view.tsx';
import { revealedText, showHidden } from '#app/domain/connections/hidden-text.ts';
import type { LoadedInspection } from '#app/features/dev-console/load-inspector.server.ts';

/** One call with everything that went over the wire. */
export function InspectionPage({ call }: { call: LoadedInspection }) {
  const { t } = useTranslation('devConsole');
  const here = href('/dashboard/dev-console/inspector/:run', { run: call.id });
  const frames = href('/dashboard/dev-console/inspector/:run/frames', { run: call.id });
  const value = (of: string) => `${href('/dashboard/runs/:run/value', { run: call.id })}?${new URLSearchParams({ of, step: call.path })}`;
  const again =
    call.target === null
      ? href('/dashboard/dev-console/inspector')
      : `${href('/dashboard/dev-console/inspector')}?capability=${encodeURIComponent(call.target)}`;
  return (
    <PageFrame
      title={call.name}
      breadcrumbs={[
        { label: t('title'), to: href('/dashboard/dev-console') },
        { label: t('inspector.title'), to: href('/dashboard/dev-console/inspector') },
      ]}
      actions={
        <>
          {call.over ? null : <ButtonLink to={here}>{t('inspection.refresh')}</ButtonLink>}
          <ButtonLink to={again} variant="primary">
            {t('inspection.again')}
          </ButtonLink>
        </>
      }
    >
      {call.error === null ? null : (
        <Notice kind="danger" title={t('inspection.failed')}>
          <ExplanationText explanation={call.error} />
        </Notice>
      )}
      {call.inLine === null || call.over ? null : (
        <Notice kind="info" title={t('inspection.inLine')}>
          <ExplanationText explanation={call.inLine} />
        </Notice>
      )}
      {call.approvalId === null ? null : (
        <Notice kind="attention" title={t('inspection.waiting')}>
          <p>
            <Link to={href('/dashboard/approvals/:approval', { approval: call.approvalId })}>{t('inspection.toApproval')}</Link>
          </p>
        </Notice>
      )}
      <div className="mt-6 first:mt-0">
        <DescriptionList
          items={[
            { term: t('inspection.status'), description: <StatusWord status={call.status} /> },
            ...(call.verdict === null || call.decisionId === null
              ? []
              : [
                  {
                    term: t('inspection.decision'),
                    description: (
                      <Link
                        to={href('/dashboard/ai-reasoning/:decision', { decision: call.decisionId })}
                        className="text-link inline-block py-0.5"
                      >
                        <StatusWord status={call.verdict} />
                      </Link>
                    ),
                  },
                ]),
            { term: t('inspection.startedAt'), description: <RelativeTime at={call.startedAt} /> },
            {
              term: t('inspection.run'),
              description: (
                <Link to={href('/dashboard/runs/:run', { run: call.id })} className="text-link inline-block py-0.5">
                  {t('inspection.openRun')}
                </Link>
              ),
            },
          ]}
        />
      </div>
      <Section title={t('inspection.frames')} description={t('inspection.framesBody')}>
        {call.frames.length === 0 ? (
          <p className="text-muted">{t(call.over ? 'inspection.noFrames' : 'inspection.noFramesYet')}</p>
        ) : (
          <ol className="grid gap-4">
            {call.frames.map((frame, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: frames have an order and never move
              <FrameCard key={index} frame={frame} number={index + 1} file={frames} />
            ))}
          </ol>
        )}
      </Section>
      {call.input === null ? null : (
        <Section title={t('inspection.input')}>
          <ValueView value={call.input} label={t('inspection.input')} file={value('input')} />
        </Section>
      )}
      {call.output === null ? null : (
        <Section title={t('inspection.output')}>
          <ValueView value={call.output} label={t('inspection.output')} file={value('output')} />
        </Section>
      )}
    </PageFrame>
  );
}

type Frame = LoadedInspection['frames'][number];

function FrameCard({ frame, number, file }: { frame: Frame; number: number; file: string }) {
  const { t } = useTranslation('devConsole');
  const format = useFormats();
  const took = format.number(frame.tookMs, { style: 'unit', unit: 'millisecond' });
  return (
    <li className="rounded-lg border border-line bg-surface p-4">
      <h3 className="font-semibold">
        {format.number(number)}. <bdi dir="ltr" className="font-mono text-sm break-all">{`${frame.method} ${frame.url}`}</bdi>
      </h3>
      <p className="mt-1 text-sm text-muted">
        {frame.status !== null
          ? t('inspection.answered', { status: String(frame.status), took })
          : isEmpty(frame.responseBody)
            ? t('inspection.noAnswer', { took })
            : t('inspection.answeredAfter', { took })}
      </p>
      <div className="mt-3 grid gap-4 lg:grid-cols-2">
        <Message title={t('inspection.sent')} frame={`#${number}`} headers={frame.requestHeaders} body={frame.requestBody} file={file} />
        <Message
          title={t('inspection.received')}
          frame={`#${number}`}
          headers={frame.responseHeaders}
          body={frame.responseBody}
          file={file}
        />
      </div>
    </li>
  );
}

type Message = { title: string; frame: string; headers: Frame['requestHeaders']; body: ShownText; file: string };

function Message({ title, frame, headers, body, file }: Message) {
  const lines = revealedText(headers.map(([name, value]) => `${name}: ${value}`).join('\n'));
  const text = 'whole' in body ? readable(body.whole) : revealedText(body.start);
  return (
    <div className="min-w-0">
      <h4 className="mb-1 text-sm font-semibold">{title}</h4>
      <ScrollGroup label={`${title} ${frame}`} className="max-h-96 overflow-auto rounded-md border border-line bg-raised">
        <pre dir="ltr" className="p-3 text-start font-mono text-xs leading-relaxed">
          <code>{[lines, text].filter((part) => part !== '').join('\n\n') || '–'}</code>
        </pre>
      </ScrollGroup>
      {'whole' in body ? null : <RestOfValue value={body} label={title} file={file} />}
    </div>
  );
}

const isEmpty = (body: ShownText) => 'whole' in body && body.whole === '';

/** JSON with its lines, anything else as it came. */
function readable(body: string): string {
  try {
    return showHidden(JSON.stringify(JSON.parse(body), null, 2));
  } catch {
    return revealedText(body);
  }
}

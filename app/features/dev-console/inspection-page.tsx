import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { EmptyPart } from '#app/components/page/empty-state.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import { FrameList } from '#app/components/value/frame-list.tsx';
import { ValueView } from '#app/components/value/value-view.tsx';
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
          <EmptyPart
            title={t(call.over ? 'inspection.noFrames' : 'inspection.noFramesYet')}
            action={
              <Link to={href('/dashboard/runs/:run', { run: call.id })} className="text-link inline-block py-0.5">
                {t('inspection.openRun')}
              </Link>
            }
          />
        ) : (
          <FrameList frames={call.frames} file={frames} />
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

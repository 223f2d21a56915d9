import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { BreakGlassMark } from '#app/components/data/break-glass-mark.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { ProofDrawing, ProofText } from '#app/components/drawing/proof-drawing.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useActionWords } from '#app/components/text/action-words.ts';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { CopiedCode } from '#app/components/value/copy/copied.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import { ValueView } from '#app/components/value/value-view.tsx';
import { ActorName, ResourceName } from '#app/features/audit/audit-words.tsx';
import type { LoadedAuditEvent } from '#app/features/audit/load-audit-event.server.ts';
import { VerifyPanel } from '#app/features/audit/verify-panel.tsx';

export function AuditEventPage({ event }: { event: LoadedAuditEvent }) {
  const { t } = useTranslation('audit');
  const formats = useFormats();
  const words = useActionWords();
  const { proof } = event;
  const place = event.leafIndex === null ? t('event.titleWaiting') : t('event.title', { index: formats.number(event.leafIndex) });
  return (
    <PageFrame
      title={words(event.action)}
      description={place}
      breadcrumbs={[{ label: t('title'), to: href('/dashboard/audit') }]}
      {...(event.resource.kind === 'run'
        ? { actions: <ButtonLink to={href('/dashboard/audit/runs/:run', { run: event.resource.id })}>{t('event.runProof')}</ButtonLink> }
        : {})}
    >
      <BreakGlassMark {...event.breakGlass} />
      {event.isAlone ? <Notice kind="attention" title={t('event.alone')} /> : null}
      <Section title={t('event.facts')}>
        <DescriptionList
          items={[
            { term: t('event.actor'), description: <ActorName actor={event.actor} erased={event.erased} /> },
            { term: t('event.action'), description: <code className="font-mono text-sm">{event.action}</code> },
            { term: t('event.at'), description: <RelativeTime at={event.at} exact /> },
            { term: t('event.resource'), description: <ResourceName resource={event.resource} /> },
            ...(event.recordedName === null || event.recordedName === event.resource.name
              ? []
              : [
                  {
                    term: t('event.recordedName'),
                    description: (
                      <bdi lang="en" dir="ltr" className="break-words">
                        {event.recordedName}
                      </bdi>
                    ),
                  },
                ]),
            { term: t('event.id'), description: <CopiedCode text={event.id} name={t('event.id')} /> },
          ]}
        />
      </Section>
      <Section title={t('event.payload')}>
        {event.erased ? (
          <Notice kind="info" title={t('event.erased')} />
        ) : event.payload === null ? (
          <p className="text-muted">{t('event.noPayload')}</p>
        ) : (
          <ValueView value={event.payload} label={t('event.payload')} file={href('/dashboard/audit/:event/payload', { event: event.id })} />
        )}
      </Section>
      <Section title={t('proof.entry.title')} description={t('proof.entry.description')}>
        {proof === null ? (
          <Notice kind="info" title={t('event.waiting')} />
        ) : (
          <div className="grid gap-8 lg:grid-cols-2">
            <div className="min-w-0">
              {proof.steps.length === 0 ? <p className="mb-4 text-muted">{t('proof.alone')}</p> : null}
              <ProofDrawing proof={proof} />
              <Legend />
              <ProofText proof={proof} />
            </div>
            <div className="min-w-0">
              <DescriptionList
                items={[
                  { term: t('event.leafIndex'), description: <span className="tabular-nums">{formats.number(proof.index)}</span> },
                  { term: t('event.bodyDigest'), description: <Digest value={event.bodyDigest ?? ''} /> },
                  { term: t('event.leafHash'), description: <Digest value={proof.leaf} /> },
                  { term: t('event.root'), description: <Digest value={proof.root} /> },
                  { term: t('event.checkpoint'), description: t('event.checkpointValue', { size: formats.number(proof.size) }) },
                ]}
              />
            </div>
          </div>
        )}
      </Section>
      {proof === null ? null : (
        <Section title={t('verify.title')} description={t('verify.description')}>
          {event.mayExport ? (
            <VerifyPanel
              evidence={href('/dashboard/audit/evidence/event/:event', { event: event.id })}
              file={`evidence-${event.id}.json`}
              serverKey={event.key}
            />
          ) : (
            <p className="text-muted">{t('verify.needsExport')}</p>
          )}
        </Section>
      )}
    </PageFrame>
  );
}

function Legend() {
  const { t } = useTranslation('audit');
  return (
    <ul className="mt-3 flex flex-wrap gap-x-6 gap-y-2 text-sm text-muted">
      <li className="flex items-center gap-2">
        <span aria-hidden="true" className="inline-block h-1 w-6 bg-accent" />
        {t('proof.legendPath')}
      </li>
      <li className="flex items-center gap-2">
        <span aria-hidden="true" className="inline-block h-px w-6 bg-edge" />
        {t('proof.legendNeighbour')}
      </li>
    </ul>
  );
}

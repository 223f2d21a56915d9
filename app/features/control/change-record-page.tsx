import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { Signatures } from '#app/components/data/signatures.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import { changeTitle } from '#app/features/control/change-words.ts';
import { ControlDifference } from '#app/features/control/control-difference.tsx';
import type { LoadedChangeRecord } from '#app/features/control/load-change-record.server.ts';

/** What was to change and who signed it, to print or to keep. `version`: the difference of a version. */
export function ChangeRecordPage({ record: { change, signatures, now }, version }: { record: LoadedChangeRecord; version: ReactNode }) {
  const { t } = useTranslation('control');
  const { t: approvals } = useTranslation('approvals');
  return (
    <PageFrame
      title={approvals('record.title', { title: changeTitle(change, t) })}
      description={approvals('record.text')}
      breadcrumbs={[
        { label: t('list.title'), to: href('/dashboard/changes') },
        { label: changeTitle(change, t), to: href('/dashboard/changes/:change', { change: change.id }) },
      ]}
    >
      <Section title={t('page.difference')}>
        <ControlDifference change={change} version={version} />
      </Section>
      <Section title={t('page.asked')}>
        <DescriptionList
          items={[
            { term: t('list.by'), description: <bdi>{change.requestedBy || t('gone')}</bdi> },
            { term: t('list.at'), description: <RelativeTime at={change.at} exact /> },
            {
              term: t('page.reason'),
              description: (
                <span dir="auto" className="block max-w-measure break-words whitespace-pre-wrap">
                  {change.reason || t('page.noReason')}
                </span>
              ),
            },
            { term: t('page.decision'), description: <StatusWord status={change.status} /> },
            { term: t('page.digest'), description: <Digest value={change.digest} full /> },
            { term: approvals('record.drawn'), description: <RelativeTime at={now} exact /> },
          ]}
        />
      </Section>
      <Section title={approvals('record.signatures')}>
        <Signatures
          of={signatures.map(({ isGlass, ...signature }) => ({ ...signature, act: isGlass ? t('glass.title') : undefined }))}
          digest={change.digest}
        />
        <p className="mt-5 max-w-measure text-sm text-muted">{approvals('record.check')}</p>
      </Section>
    </PageFrame>
  );
}

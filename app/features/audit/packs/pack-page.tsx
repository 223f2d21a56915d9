import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink, buttonClass } from '#app/components/ui/button.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import { exportQuery } from '#app/domain/control/export-query.ts';
import { AssessmentSection } from '#app/features/audit/packs/assessment-section.tsx';
import { ControlSection } from '#app/features/audit/packs/control-section.tsx';
import type { LoadedPack, ShownPack } from '#app/features/audit/packs/load-pack.server.ts';
import { packFile } from '#app/features/audit/packs/pack-files.ts';
import { PackForm } from '#app/features/audit/packs/pack-form.tsx';
import { VerifyPanel } from '#app/features/audit/verify-panel.tsx';
import Download from '~icons/download';

/** An evidence pack: asked for above, to read, print and take along below. */
export function PackPage({ loaded }: { loaded: LoadedPack }) {
  const { t } = useTranslation('packs');
  const { pack, workspace, key, leaving } = loaded;
  return (
    <PageFrame
      title={pack === null ? t('title') : t('titleOf', { framework: pack.law.name })}
      description={t('description')}
      breadcrumbs={[{ label: t('auditLog'), to: href('/dashboard/audit') }]}
    >
      <PackForm {...loaded} />
      {pack === null ? null : (
        <>
          {pack.isOpen ? (
            <div className="mb-6">
              <Notice kind="info" title={t('open')} />
            </div>
          ) : null}
          <PackFacts pack={pack} workspace={workspace} />
          {pack.recordCount === 0 ? (
            <div className="mt-8">
              <EmptyState title={t('empty')} description={t('emptyText')} />
            </div>
          ) : leaving === 'alone' ? (
            <PackFiles pack={pack} serverKey={key} />
          ) : (
            <AskForFiles pack={pack} />
          )}
          {pack.controls.map((control) => (
            <ControlSection key={control.id} control={control} />
          ))}
          <AssessmentSection assessments={pack.assessments} />
        </>
      )}
    </PageFrame>
  );
}

const VALIDITY_WORDS = {
  inForce: 'compliance:validity.inForce',
  partly: 'compliance:validity.partly',
  coming: 'compliance:validity.coming',
  draft: 'compliance:validity.draft',
  superseded: 'compliance:validity.superseded',
} as const;

function PackFacts({ pack, workspace }: { pack: ShownPack; workspace: string }) {
  const { t } = useTranslation(['packs', 'compliance']);
  const formats = useFormats();
  const { law, question } = pack;
  return (
    <DescriptionList
      items={[
        { term: t('facts.workspace'), description: <bdi>{workspace}</bdi> },
        {
          term: t('form.framework'),
          description: (
            <>
              <bdi>{law.name}</bdi>
              <span className="block text-muted">
                <bdi>{law.citation}</bdi>
              </span>
            </>
          ),
        },
        { term: t('facts.validity'), description: t(VALIDITY_WORDS[law.validity]) },
        {
          term: t('facts.period'),
          description: t('facts.days', { from: formats.day(question.from), until: formats.day(question.until) }),
        },
        { term: t('facts.made'), description: <RelativeTime at={pack.at} exact /> },
        { term: t('facts.records'), description: formats.number(pack.recordCount) },
        { term: t('facts.logSize'), description: formats.number(pack.logSize) },
        {
          term: t('form.seed'),
          description: (
            <code className="wrap-anywhere" dir="ltr">
              {question.seed}
            </code>
          ),
        },
        { term: t('facts.digest'), description: <Digest value={pack.digest} full /> },
      ]}
    />
  );
}

/** Where another person agrees before the files leave, the way to the page where that is asked and where they are then. */
function AskForFiles({ pack }: { pack: ShownPack }) {
  const { t } = useTranslation('packs');
  const query = exportQuery({ kind: 'pack', ...pack.question });
  return (
    <div className="print:hidden">
      <Section title={t('files.title')} description={t('files.asks')}>
        <ButtonLink to={`${href('/dashboard/audit/export')}?${query}`}>{t('files.toExport')}</ButtonLink>
      </Section>
    </div>
  );
}

function PackFiles({ pack, serverKey }: { pack: ShownPack; serverKey: string }) {
  const { t } = useTranslation('packs');
  const { framework, from, until } = pack.question;
  return (
    <div className="print:hidden">
      <Section title={t('files.title')} description={t('files.text')}>
        <div className="mb-4 flex flex-wrap gap-2">
          <a className={buttonClass('secondary')} href={packFile('records.csv', pack.question)} download>
            <Download aria-hidden="true" />
            {t('files.csv')}
          </a>
          <a className={buttonClass('secondary')} href={packFile('oscal.json', pack.question)} download>
            <Download aria-hidden="true" />
            {t('files.oscal')}
          </a>
          {pack.assessments.length === 0 ? null : (
            <a className={buttonClass('secondary')} href={packFile('assessments.csv', pack.question)} download>
              <Download aria-hidden="true" />
              {t('files.assessments')}
            </a>
          )}
        </div>
        <VerifyPanel
          evidence={packFile('pack.json', pack.question)}
          file={`quorate-${framework}-${from}-${until}-pack.json`}
          serverKey={serverKey}
        />
      </Section>
    </div>
  );
}

import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AreaLinks } from '#app/components/page/area-links.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { Changes, Past } from '#app/features/compliance/catalogue-dates.tsx';
import { ControlTable } from '#app/features/compliance/control-table.tsx';
import { Laws } from '#app/features/compliance/laws.tsx';
import type { Compliance } from '#app/features/compliance/load-compliance.server.ts';

/** The workspace's controls, mapped to laws and standards. */
export function CompliancePage({ view }: { view: Compliance }) {
  const { t } = useTranslation('compliance');
  const base = href('/dashboard/policies/compliance');
  return (
    <PageFrame
      title={t('title')}
      part={partOf(t, view)}
      description={t('description')}
      breadcrumbs={[{ label: t('policies'), to: href('/dashboard/policies') }]}
      actions={
        <>
          <ButtonLink to={href('/dashboard/policies/compliance/incidents')}>{t('incidents')}</ButtonLink>
          {view.mayPack ? <ButtonLink to={href('/dashboard/audit/packs')}>{t('packs')}</ButtonLink> : null}
        </>
      }
    >
      <div className="mb-6">
        <Notice kind="info" title={t('computed')}>
          {t('computedText')}
        </Notice>
      </div>
      <AreaLinks
        label={t('title')}
        links={[
          { label: t('controls'), to: base, current: view.part === 'controls' },
          { label: t('regulations'), to: `${base}?part=laws`, current: view.part === 'laws' },
          { label: t('timeline.title'), to: `${base}?part=dates`, current: view.part === 'dates' },
        ]}
      />
      {/* Its first heading stands under the links, without a rule of its own. */}
      <div>
        {view.part === 'controls' ? <Controls view={view} /> : null}
        {view.part === 'laws' ? <Laws view={view} /> : null}
        {view.part === 'dates' ? (
          <>
            <Changes changes={view.changes} />
            <Past past={view.past} />
          </>
        ) : null}
      </div>
    </PageFrame>
  );
}

/** The first part has the name of the page. */
function partOf(t: TFunction<'compliance'>, { part }: Compliance): string | undefined {
  if (part === 'laws') return t('regulations');
  return part === 'dates' ? t('timeline.title') : undefined;
}

function Controls({ view }: { view: Compliance }) {
  const { t } = useTranslation('compliance');
  return (
    <Section title={t('controls')} description={t('controlsText')}>
      <ControlTable caption={t('controls')} controls={view.controls} mayAttest={view.mayAttest} />
    </Section>
  );
}

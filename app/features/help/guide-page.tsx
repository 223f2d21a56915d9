import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useLocale } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import type { Role } from '#app/contracts/people.ts';
import { can } from '#app/domain/people/roles.ts';
import { WhoMay } from '#app/features/help/guide-list.tsx';
import { guidePicture, PICTURE } from '#app/features/help/guide-pictures.ts';
import { GUIDE_STEPS, GUIDES, type Guide } from '#app/features/help/guides.ts';
import { PolicyExample } from '#app/features/help/policy-example.tsx';

/** A task in a few steps, with a link to the place for members who may do it. */
export function GuidePage({ guide, roles }: { guide: Guide; roles: readonly Role[] }) {
  const { t } = useTranslation('help');
  const { language } = useLocale();
  const allowed = can(roles, guide.permission);
  const next = GUIDES.filter(({ id, permission }) => id !== guide.id && can(roles, permission)).slice(0, 3);
  return (
    <PageFrame
      title={t(`guides.${guide.id}.title`)}
      description={t(`guides.${guide.id}.summary`)}
      breadcrumbs={[{ label: t('title'), to: href('/dashboard/help') }]}
    >
      <ol className="mb-6 grid max-w-measure gap-4">
        {GUIDE_STEPS.map((step) => (
          <li key={step} className="flex gap-4">
            <span
              aria-hidden="true"
              className="mt-0.5 flex size-7 shrink-0 items-center justify-center rounded-full border border-edge text-sm font-semibold tabular-nums"
            >
              {step}
            </span>
            <p className="min-w-0 pt-0.5">{t(`guides.${guide.id}.step${step}`)}</p>
          </li>
        ))}
      </ol>
      <img
        src={guidePicture(guide, language)}
        alt={t(`guides.${guide.id}.picture`)}
        width={PICTURE.width}
        height={PICTURE.height}
        loading="lazy"
        decoding="async"
        className="mb-6 h-auto w-full max-w-[45rem] rounded-lg border border-line"
      />
      {guide.id === 'writePolicy' ? <PolicyExample /> : null}
      {allowed ? (
        <ButtonLink to={guide.path} variant="primary">
          {t(`guides.${guide.id}.go`)}
        </ButtonLink>
      ) : (
        <div className="max-w-measure">
          <Notice kind="info" title={t('notYours')}>
            <p>
              {t('rolesNeeded')} <WhoMay permission={guide.permission} />
            </p>
          </Notice>
        </div>
      )}
      {next.length === 0 ? null : (
        <Section title={t('nextGuides')}>
          <ul className="grid gap-1">
            {next.map(({ id, slug }) => (
              <li key={id}>
                <Link to={href('/dashboard/help/:guide', { guide: slug })} className="text-link inline-block py-1">
                  {t(`guides.${id}.title`)}
                </Link>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </PageFrame>
  );
}

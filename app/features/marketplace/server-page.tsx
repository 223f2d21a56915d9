import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { Monogram } from '#app/components/data/monogram.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import type { LoadedEntry } from '#app/features/marketplace/load-marketplace.server.ts';
import { MarketCards } from '#app/features/marketplace/market-card.tsx';
import { ServerFacts } from '#app/features/marketplace/server-facts.tsx';

/** One server: its purpose, its tools, its requirements, and the effect of installing it. */
export function ServerPage({ server }: { server: LoadedEntry }) {
  const { t } = useTranslation('marketplace');
  return (
    <PageFrame
      title={server.title}
      description={
        <span className="flex gap-4">
          <Monogram name={server.title} size="size-14 text-lg" />
          <span lang="en" dir="ltr" className="text-start wrap-anywhere">
            {server.description}
          </span>
        </span>
      }
      breadcrumbs={[{ label: t('title'), to: href('/dashboard/marketplace') }]}
      actions={<EntryAction server={server} />}
    >
      {server.remote === null ? (
        <div className="mb-6">
          <Notice kind="info" title={t('server.localTitle')}>
            {server.startsPrograms ? t('server.localAllowed') : t('server.localText')}
          </Notice>
        </div>
      ) : null}
      <ServerFacts server={server} />
      <Section title={t('server.tools')}>
        <Tools server={server} />
      </Section>
      {server.similar.length === 0 ? null : (
        <Section title={t('server.similar')}>
          <MarketCards servers={server.similar} headingLevel={3} />
        </Section>
      )}
    </PageFrame>
  );
}

function EntryAction({ server: { connection, mayInstall, remote } }: { server: LoadedEntry }) {
  const { t } = useTranslation('marketplace');
  if (connection !== null)
    return (
      <ButtonLink variant="primary" to={href('/dashboard/plugins/:connection', { connection })}>
        {t('server.open')}
      </ButtonLink>
    );
  if (!mayInstall || remote === null) return null;
  return (
    <CommandForm hidden={{}}>
      <SubmitButton>{t('server.install')}</SubmitButton>
    </CommandForm>
  );
}

/** The tools of a server are known once it has been asked. */
function Tools({ server: { connection, tools } }: { server: LoadedEntry }) {
  const { t } = useTranslation('marketplace');
  if (connection === null || tools === null || tools.length === 0)
    return <p className="max-w-measure text-muted">{connection === null ? t('server.toolsLater') : t('server.toolsUnread')}</p>;
  return (
    <ul className="grid gap-x-8 border-t border-line md:grid-cols-2">
      {tools.map((tool) => (
        <li key={tool.name} className="min-w-0 border-b border-line py-2.5">
          <Link to={href('/dashboard/plugins/:connection', { connection })} className="text-link">
            <code dir="ltr" className="wrap-anywhere">
              {revealedText(tool.name)}
            </code>
          </Link>
          <p dir="auto" className="line-clamp-2 text-sm text-as-parent wrap-anywhere text-muted">
            {revealedText(tool.description)}
          </p>
        </li>
      ))}
    </ul>
  );
}

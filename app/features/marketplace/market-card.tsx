import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { Monogram } from '#app/components/data/monogram.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import type { MarketCard } from '#app/features/marketplace/load-marketplace.server.ts';

/** Servers as cards, below a heading of level `headingLevel` − 1. */
export function MarketCards({ servers, headingLevel }: { servers: readonly MarketCard[]; headingLevel: 2 | 3 }) {
  const { t } = useTranslation('marketplace');
  const Heading = `h${headingLevel}` as const;
  return (
    <ul className="grid gap-2 sm:gap-4 md:grid-cols-2 2xl:grid-cols-3">
      {servers.map((server) => (
        <li key={server.key} className="flex min-w-0 gap-3 rounded-lg border border-line bg-surface p-3 sm:p-4">
          <Monogram name={server.title} />
          <div className="grid min-w-0 content-start gap-1.5 sm:gap-2">
            <div>
              <Heading className="font-semibold">
                <Link to={`${href('/dashboard/marketplace')}/${server.path}`} className="text-link wrap-anywhere">
                  <bdi>{server.title}</bdi>
                </Link>
              </Heading>
              <p className="text-sm wrap-anywhere text-muted">
                <bdi>{server.publisher}</bdi>
              </p>
            </div>
            <p lang="en" dir="ltr" className="line-clamp-2 text-start sm:line-clamp-3 text-sm wrap-anywhere">
              {server.description}
            </p>
            <p className="flex flex-wrap gap-1.5 sm:gap-2">
              <Badge tone={server.connected ? 'ok' : server.reach === 'now' ? 'accent' : 'neutral'}>
                {server.connected ? t('connected') : t(`reach.${server.reach}`)}
              </Badge>
              {server.category === null ? null : <Badge>{t(`category.${server.category}`)}</Badge>}
              {server.licence === null ? null : <Badge>{server.licence}</Badge>}
              {server.registry === null ? null : <Badge>{server.registry}</Badge>}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

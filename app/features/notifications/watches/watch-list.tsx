import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { WatchButton } from '#app/components/data/watch-button.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import type { WatchedThing } from '#app/features/notifications/watches/list-watches.server.ts';

/** Everything that the reader watches, each with the button that ends it. */
export function WatchList({ watches }: { watches: readonly WatchedThing[] }) {
  const { t } = useTranslation('notifications');
  const format = useFormats();
  if (watches.length === 0) return <p className="max-w-measure text-muted">{t('watches.none')}</p>;
  return (
    <ul className="max-w-3xl divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
      {watches.map(({ id, workflow, run }) => {
        const name = run === null ? workflow : format.runName({ ...run, workflow });
        const to = run === null ? href('/dashboard/workflows/:workflow', { workflow: id }) : href('/dashboard/runs/:run', { run: id });
        return (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
            <div className="min-w-48 flex-1">
              <Link to={to} className="text-link">
                <bdi>{name}</bdi>
              </Link>
              <p className="text-sm text-muted">{t(run === null ? 'watches.workflow' : 'watches.run')}</p>
            </div>
            <WatchButton
              kind={run === null ? 'workflow' : 'run'}
              id={id}
              watched
              back={href('/dashboard/notifications/preferences')}
              size="small"
              named={name}
            />
          </li>
        );
      })}
    </ul>
  );
}

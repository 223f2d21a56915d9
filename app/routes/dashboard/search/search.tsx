import { loadSearch } from '#app/features/search/load-search.server.ts';
import { SearchPage } from '#app/features/search/search-page.tsx';
import { SIDEBAR } from '#app/features/shell/navigation.ts';
import type { Route } from './+types/search';

export const handle = { i18n: ['search', 'shell'] };

export function loader({ context, url }: Route.LoaderArgs) {
  return loadSearch(
    { context, url },
    SIDEBAR.flatMap((group) => group.items.map(({ id, route }) => ({ id, route }))),
  );
}

export default function SearchRoute({ loaderData }: Route.ComponentProps) {
  return <SearchPage {...loaderData} />;
}

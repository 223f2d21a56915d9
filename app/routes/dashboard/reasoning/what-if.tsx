import { loadWhatIf } from '#app/features/reasoning/what-if/load-what-if.server.ts';
import { whatIfAction } from '#app/features/reasoning/what-if/what-if-action.server.ts';
import { WhatIfPage } from '#app/features/reasoning/what-if/what-if-page.tsx';
import type { Route } from './+types/what-if';

export const handle = { i18n: ['reasoning', 'explanations', 'validation'] };

export function loader({ params, context }: Route.LoaderArgs) {
  return loadWhatIf({ params, context });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return whatIfAction({ request, params, context });
}

export default function WhatIf({ loaderData, actionData }: Route.ComponentProps) {
  return <WhatIfPage decision={loaderData} asked={actionData} />;
}

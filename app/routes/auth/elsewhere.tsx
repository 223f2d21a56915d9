import { privatePage } from '#app/components/page/private-page.server.ts';
import { ElsewherePage } from '#app/features/auth/session/elsewhere-page.tsx';
import { loadElsewhere } from '#app/features/auth/session/load-elsewhere.server.ts';
import type { Route } from './+types/elsewhere';

export const handle = { i18n: ['auth'] };

export const middleware: Route.MiddlewareFunction[] = [privatePage];

export function loader(args: Route.LoaderArgs) {
  return loadElsewhere(args);
}

export default function Elsewhere({ loaderData }: Route.ComponentProps) {
  return <ElsewherePage view={loaderData} />;
}

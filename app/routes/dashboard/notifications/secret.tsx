import { privatePage } from '#app/components/page/private-page.server.ts';
import { loadWebhookSecret } from '#app/features/notifications/preferences.server.ts';
import { WebhookSecretPage } from '#app/features/notifications/preferences-page.tsx';
import type { Route } from './+types/secret';

export const handle = { i18n: ['notifications'] };

export const middleware: Route.MiddlewareFunction[] = [privatePage];

export function loader({ context }: Route.LoaderArgs) {
  return loadWebhookSecret(context);
}

export default function WebhookSecretRoute({ loaderData }: Route.ComponentProps) {
  return <WebhookSecretPage {...loaderData} />;
}

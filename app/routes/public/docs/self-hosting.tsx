import { loadSettings } from '#app/features/public/docs/load-settings.server.ts';
import { DocsSelfHostingPage } from '#app/features/public/docs/self-hosting-page.tsx';
import type { Route } from './+types/self-hosting';

export const handle = { i18n: ['public', 'docs'] };

export function loader() {
  return loadSettings();
}

export default function SelfHosting({ loaderData }: Route.ComponentProps) {
  return <DocsSelfHostingPage {...loaderData} />;
}

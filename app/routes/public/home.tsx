import { LandingPage } from '#app/features/public/landing-page.tsx';
import { sendMembersHome } from '#app/features/public/send-members-home.server.ts';
import type { Route } from './+types/home';

export const handle = { i18n: ['public'] };

export function loader({ context }: Route.LoaderArgs) {
  return sendMembersHome(context);
}

export default function Home() {
  return <LandingPage />;
}

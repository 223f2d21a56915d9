import { sendMembersHome } from '#app/features/public/frame/send-members-home.server.ts';
import { LandingPage } from '#app/features/public/landing/landing-page.tsx';
import type { Route } from './+types/home';

export const handle = { i18n: ['public'] };

export function loader({ context }: Route.LoaderArgs) {
  return sendMembersHome(context);
}

export default function Home() {
  return <LandingPage />;
}

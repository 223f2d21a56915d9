import { index, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  index('routes/public/home.tsx'),
  route('app/*', 'routes/public/app-redirect.ts'),
  route('preferences/language', 'routes/public/preferences/language.ts'),
  route('preferences/theme', 'routes/public/preferences/theme.ts'),
  route('preferences/sidebar', 'routes/public/preferences/sidebar.ts'),

  // The app area: one line an area, in the order of the sidebar.
  route('dashboard', 'routes/dashboard/layout.tsx', [index('routes/dashboard/home.tsx')]),

  // Mails caught on this machine; not found wherever anybody else could read them.
  route('dev/mailbox', 'routes/dev/mailbox.tsx'),
  route('dev/mailbox.json', 'routes/dev/mailbox-json.ts'),

  // An address the router does not know would skip the root middleware and fail in entry.server.
  route('*', 'routes/public/not-found.tsx'),
] satisfies RouteConfig;

import { renderToString } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, test } from 'vitest';
import { EnhancedAuthProvider, useEnhancedAuth } from '#app/features/auth/browser/enhanced-auth-provider.tsx';
import type { SessionView } from '#app/features/auth/session/load-session.server.ts';

const ADA: SessionView = {
  user: { id: 'ada', email: 'ada@example.com' },
  profile: { role: 'user', name: 'Ada' },
  expiresAt: 100,
  assurance: 'aal1',
  recovered: false,
};

function Who() {
  const { user, profile, loading } = useEnhancedAuth();
  return <p>{JSON.stringify({ user, profile, loading })}</p>;
}

test('hands on who is signed in', () => {
  const router = createMemoryRouter([
    {
      path: '/',
      element: (
        <EnhancedAuthProvider session={ADA}>
          <Who />
        </EnhancedAuthProvider>
      ),
    },
  ]);
  const html = renderToString(<RouterProvider router={router} />).replaceAll('&quot;', '"');
  expect(html).toContain('{"user":{"id":"ada","email":"ada@example.com"},"profile":{"role":"user","name":"Ada"},"loading":false}');
});

test('throws outside its provider', () => {
  expect(() => renderToString(<Who />)).toThrow('useEnhancedAuth must be used within an EnhancedAuthProvider');
});

import { Children, isValidElement, type ReactElement, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { createMemoryRouter, createRoutesStub, RouterProvider } from 'react-router';
import manifest from 'react-router/package.json' with { type: 'json' };
import { expect, it } from 'vitest';
import { useImmediateNavigation, useRouterErrors, useScriptElements } from '#app/components/live/router-edges.tsx';

it('was read against the version of the router that is installed', () => {
  // After an upgrade: read router-edges.tsx beside the router's notes, try the start page without and with late scripts, then write the version here.
  expect(manifest.version).toBe('8.4.0');
});

it('gives the elements of the scripts one by one', () => {
  const parts: string[] = [];
  const collect = (node: ReactNode) =>
    Children.forEach(node, (child) => {
      if (!isValidElement(child)) return;
      const { type, props } = child as ReactElement<{ rel?: string; type?: string; children?: ReactNode }>;
      if (typeof type === 'string') parts.push(`${type} ${props.rel ?? props.type ?? 'inline'}`);
      collect(props.children);
    });
  function Page() {
    collect(useScriptElements());
    return null;
  }
  const Stub = createRoutesStub([{ path: '/', Component: Page }]);
  renderToString(<Stub />);
  expect(parts).toEqual(expect.arrayContaining(['script inline', 'script module']));
});

it('tells of a navigation the moment it begins, and of the errors of a route', async () => {
  const seen: unknown[] = [];
  function Page() {
    seen.push({ navigation: useImmediateNavigation(), errors: useRouterErrors() });
    return null;
  }
  const gate = Promise.withResolvers<null>();
  const router = createMemoryRouter([
    { path: '/', element: <Page />, ErrorBoundary: Page },
    { path: '/slow', loader: () => gate.promise, element: <Page /> },
  ]);
  renderToString(<RouterProvider router={router} />);
  const arrived = router.navigate('/slow');
  renderToString(<RouterProvider router={router} />);
  gate.resolve(null);
  await arrived;
  expect(seen).toEqual([
    { navigation: { waiting: false, location: undefined }, errors: null },
    { navigation: { waiting: true, location: expect.objectContaining({ pathname: '/slow' }) }, errors: null },
  ]);
});

it('shows the errors of a failed load', async () => {
  const failure = new Error('made to fail');
  let errors: unknown;
  function Page() {
    errors = useRouterErrors();
    return null;
  }
  const router = createMemoryRouter([
    { id: 'page', path: '/', loader: () => Promise.reject(failure), element: <Page />, errorElement: <Page /> },
  ]);
  await new Promise<void>((resolve) => {
    if (router.state.initialized) resolve();
    else router.subscribe(({ initialized }) => initialized && resolve());
  });
  renderToString(<RouterProvider router={router} />);
  expect(errors).toEqual({ page: failure });
});

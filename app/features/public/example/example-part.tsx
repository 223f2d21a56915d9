import { lazy, Suspense } from 'react';
import type { ExampleName } from '#app/features/public/example/examples.tsx';
import { StaticContent } from '#app/features/public/frame/static-content.tsx';

// The server has the pictures at hand; a browser loads them only when it must draw them itself.
const onServer = import.meta.env.SSR ? await import('#app/features/public/example/examples.tsx') : null;
const Example = onServer?.Example ?? lazy(async () => ({ default: (await import('#app/features/public/example/examples.tsx')).Example }));

/** A picture of the product that needs no script. */
export function ExamplePart({ name }: { name: ExampleName }) {
  return (
    // Outside: what stands in static content stays as it was sent, and a boundary in it would never come to life.
    <Suspense>
      <StaticContent id={`example-${name}`}>
        <Example name={name} />
      </StaticContent>
    </Suspense>
  );
}

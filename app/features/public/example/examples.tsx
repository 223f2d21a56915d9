import type { ReactNode } from 'react';
import { ExampleApproval } from '#app/features/public/example/example-approval.tsx';
import { ExampleFlow } from '#app/features/public/example/example-flow.tsx';
import { ExampleProof } from '#app/features/public/example/example-proof.tsx';
import { ExampleTrace } from '#app/features/public/example/example-trace.tsx';

export type ExampleName = 'approval' | 'flow' | 'trace' | 'proof';

const EXAMPLES: Record<ExampleName, () => ReactNode> = {
  approval: ExampleApproval,
  flow: ExampleFlow,
  trace: ExampleTrace,
  proof: ExampleProof,
};

/** One picture of the product, for whoever draws it: the server, or a browser that came here by a link. */
export function Example({ name }: { name: ExampleName }) {
  const Picture = EXAMPLES[name];
  return <Picture />;
}

import type { ReactNode } from 'react';
import { ExampleApproval } from '#app/features/public/example/example-approval.tsx';
import { InteractiveDemo, TrustBar } from '#app/features/public/landing/closing.tsx';
import { HeroText } from '#app/features/public/landing/hero-text.tsx';
import { Highlights } from '#app/features/public/landing/highlights.tsx';
import { HybridValue } from '#app/features/public/landing/hybrid-value.tsx';
import { IntegrationGrid, IntegrationTrack } from '#app/features/public/landing/integrations.tsx';
import { PainPoints } from '#app/features/public/landing/pain-points.tsx';
import { Pricing } from '#app/features/public/landing/pricing.tsx';
import { ProtocolDemo } from '#app/features/public/landing/protocol-demo.tsx';
import { TestimonialTrack } from '#app/features/public/landing/testimonials.tsx';

export type PartName =
  | 'hero'
  | 'approval'
  | 'highlights'
  | 'pains'
  | 'protocols'
  | 'value'
  | 'integrations'
  | 'grid'
  | 'interactive'
  | 'testimonials'
  | 'pricing'
  | 'trust';

const PARTS: Record<PartName, () => ReactNode> = {
  hero: HeroText,
  approval: ExampleApproval,
  highlights: Highlights,
  pains: PainPoints,
  protocols: ProtocolDemo,
  value: HybridValue,
  integrations: IntegrationTrack,
  grid: IntegrationGrid,
  interactive: InteractiveDemo,
  testimonials: TestimonialTrack,
  pricing: Pricing,
  trust: TrustBar,
};

/** One part of the start page, for whoever draws it: the server, or a browser that came here by a link. */
export function LandingPart({ name }: { name: PartName }) {
  const Part = PARTS[name];
  return <Part />;
}

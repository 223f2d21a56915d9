import type { loadAgentCatalogue } from '#app/engine/workflows/load-agent-catalogue.ts';

export type OfferedCapability = Awaited<ReturnType<typeof loadAgentCatalogue>>['capabilities'][number];

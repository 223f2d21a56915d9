import { benchSchema, type Evidence, survivalSchema } from '#app/features/public/evidence/evidence-schema.ts';

const BENCHES_SHOWN = 3;

// Read when the product is built: the page shows the figures in the repository, and nothing can replace them later.
const benchFiles = import.meta.glob('/tests/bench/results/*.json', { eager: true, import: 'default' });
const survivalFiles = import.meta.glob('/tests/survival/results.json', { eager: true, import: 'default' });

const evidence: Evidence = {
  benches: Object.values(benchFiles)
    .map((file) => benchSchema.parse(file))
    .sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
    .slice(0, BENCHES_SHOWN),
  survival: Object.values(survivalFiles).flatMap((file) =>
    Object.entries(survivalSchema.parse(file)).map(([what, result]) => ({ what, ...result })),
  ),
};

/** Measurements, newest first. */
export function loadEvidence(): Evidence {
  return evidence;
}

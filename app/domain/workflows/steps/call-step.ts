import { z } from 'zod';
import type { CatalogueEntry, CatalogueProtocol } from '#app/domain/workflows/catalogue.ts';
import { checkMappings } from '#app/domain/workflows/mappings/mapping-check.ts';
import { UNKNOWN_OUTCOMES } from '#app/domain/workflows/repeatable-call.ts';
import { mappingSchema, type StepCheck } from '#app/domain/workflows/steps/step-rules.ts';

/** Absent in what was written before there was a choice, and means `fail`: filled in, it would change the bytes of what is imported. */
export const unknownOutcomeCommon = { unknownOutcome: z.enum(UNKNOWN_OUTCOMES).optional() };

/** `connection` and `capability` null: Quorate routes by `task` among the approved capabilities that fit. */
export const targetCommon = {
  connection: z.string().max(48).nullable().default(null),
  capability: z.string().max(200).nullable().default(null),
  task: z.string().max(500).default(''),
  input: mappingSchema.default({}),
};
type Target = { connection: string | null; capability: string | null; task: string; input: Record<string, string> };

/** The target of a new step: nothing is called yet. */
export const noTarget = (): Target => ({ connection: null, capability: null, task: '', input: {} });

/** Reports what `findTarget` reports, and mappings that the target does not take. */
export function checkTarget(step: Target, protocols: readonly CatalogueProtocol[], at: StepCheck): void {
  const entry = findTarget(step, protocols, at);
  if (entry !== null) checkMappings(step.input, entry.inputSchema, at.report);
}

/** The capability that a step names; reports one that is missing, unknown, not approved or of a connection of another protocol. */
export function findTarget(step: Target, protocols: readonly CatalogueProtocol[], { catalogue, report }: StepCheck): CatalogueEntry | null {
  if (step.capability === null || step.connection === null) {
    if (step.task.trim() === '') report('capability', 'noTarget');
    return null;
  }
  const connection = catalogue.connections.find((candidate) => candidate.slug === step.connection);
  if (connection === undefined) {
    report('capability', 'unknownConnection', { connection: step.connection });
    return null;
  }
  if (!protocols.includes(connection.protocol)) {
    report('capability', 'wrongProtocol', { connection: step.connection });
    return null;
  }
  const entry = catalogue.capabilities.find(
    (candidate) => candidate.connection === step.connection && candidate.capability === step.capability,
  );
  if (entry === undefined) {
    report('capability', 'unknownCapability', { capability: step.capability, connection: step.connection });
    return null;
  }
  if (!entry.approved) report('capability', 'capabilityNotApproved', { capability: step.capability });
  return entry;
}

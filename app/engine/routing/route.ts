import type { Explanation } from '#app/contracts/explanation.ts';
import type { Json } from '#app/contracts/json.ts';
import type { CallStep } from '#app/domain/workflows/steps/step.ts';
import type { RoutableCapability } from '#app/engine/routing/routable-capability.ts';
import { matchTask, type RouteIndex } from '#app/engine/routing/skill-match.ts';

/** Measurements of a capability's latest calls. */
export type CapabilityRecord = { calls: number; errors: number; p95Ms: number };

/** `price` null: none is stated, and the others decide alone. */
export type ScoreParts = { skill: number; health: number; latency: number; price: number | null };
export type Candidate = {
  capabilityId: string;
  connectionId: string;
  name: string;
  connection: string;
  protocol: 'mcp' | 'a2a' | null;
  /** 0 to 1; null: excluded. */
  score: number | null;
  parts: ScoreParts | null;
  excluded: Explanation | null;
  chosen: boolean;
};
export type Route = { chosen: RoutableCapability | null; candidates: Candidate[]; reason: Explanation };

export type RouteRequest = {
  step: CallStep['kind'];
  /** Slug and name, or null: routed by the task. */
  connection: string | null;
  capability: string | null;
  task: string;
  /** Names of the inputs that the step gives. */
  inputs: readonly string[];
};

const WEIGHTS = { skill: 0.6, health: 0.2, latency: 0.15, price: 0.05 };
/** A common word is not a match: below this share of the best match a capability is not a candidate. */
const SKILL_MIN = 0.15;
/** Latency at which that part is one half. */
const HALF_LATENCY_MS = 1_000;
/** US dollars for a million tokens in and a million out at which that part is one half. */
const HALF_PRICE = 10;
/** Candidates kept in the journal; the rest is counted in the reason. */
const KEPT = 20;

/**
 * Which capability a step calls and why. Pure and deterministic: the same index, records and request give the same answer;
 * equal scores go by name, then id. What a policy thinks of the choice is asked afterwards, and refuses rather than reroutes.
 */
export function route(index: RouteIndex, records: ReadonlyMap<string, CapabilityRecord>, request: RouteRequest): Route {
  if (request.capability !== null) return pinned(index, request);
  const skill = matchTask(index, request.task);
  const candidates: { capability: RoutableCapability; candidate: Candidate }[] = [];
  index.capabilities.forEach((capability, position) => {
    if (!fitsStep(capability, request.step) || (request.connection !== null && capability.connection.slug !== request.connection)) return;
    const excluded = exclusionOf(capability, request, skill[position] ?? 0);
    // a capability that shares no word with the task is not a candidate at all
    if (excluded !== null && (skill[position] ?? 0) === 0) return;
    const parts = excluded === null ? partsOf(capability, skill[position] ?? 0, records.get(capability.id)) : null;
    candidates.push({
      capability,
      candidate: { ...candidateOf(capability), parts, score: parts === null ? null : total(parts), excluded },
    });
  });
  candidates.sort(
    (a, b) =>
      (b.candidate.score ?? -1) - (a.candidate.score ?? -1) ||
      compare(a.capability.name, b.capability.name) ||
      compare(a.capability.id, b.capability.id),
  );
  const best = candidates[0]?.candidate.score == null ? undefined : candidates[0];
  if (best !== undefined) best.candidate.chosen = true;
  const eligible = candidates.filter(({ candidate }) => candidate.score !== null).length;
  const kept = candidates.slice(0, KEPT).map(({ candidate }) => candidate);
  if (best === undefined)
    return { chosen: null, candidates: kept, reason: { key: 'routeNone', values: { task: request.task, considered: candidates.length } } };
  const { capability, candidate } = best;
  const values = { capability: capability.name, connection: capability.connection.name, score: percent(candidate.score ?? 0), eligible };
  return { chosen: capability, candidates: kept, reason: { key: eligible === 1 ? 'routeOnly' : 'routeBest', values } };
}

function pinned(index: RouteIndex, request: RouteRequest): Route {
  const values = { capability: request.capability ?? '', connection: request.connection ?? '' };
  const found = index.capabilities.filter(
    (capability) =>
      capability.name === request.capability &&
      (request.connection === null || capability.connection.slug === request.connection) &&
      fitsStep(capability, request.step),
  );
  const [only] = found;
  if (only === undefined) return { chosen: null, candidates: [], reason: { key: 'routePinnedMissing', values } };
  if (found.length > 1)
    return {
      chosen: null,
      candidates: found.slice(0, KEPT).map(candidateOf),
      reason: { key: 'routePinnedAmbiguous', values: { ...values, count: found.length } },
    };
  return {
    chosen: only,
    candidates: [{ ...candidateOf(only), score: 1, parts: { skill: 1, health: 1, latency: 1, price: null }, chosen: true }],
    reason: { key: 'routePinned', values: { capability: only.name, connection: only.connection.name } },
  };
}

function exclusionOf(capability: RoutableCapability, request: RouteRequest, skill: number): Explanation | null {
  if (capability.state === 'pending') return { key: 'candidatePending', values: {} };
  if (capability.state === 'changed') return { key: 'candidateChanged', values: {} };
  if (capability.state === 'removed') return { key: 'candidateRemoved', values: {} };
  if (capability.connection.status === 'paused') return { key: 'candidatePaused', values: { connection: capability.connection.name } };
  if (capability.connection.status !== 'connected')
    return { key: 'candidateUnreachable', values: { connection: capability.connection.name } };
  const missing = missingInputs(capability.inputSchema, request.inputs);
  if (missing.length > 0) return { key: 'candidateNeedsInput', values: { inputs: missing.slice(0, 5).join(', ') } };
  if (skill < SKILL_MIN) return { key: 'candidateOffTask', values: {} };
  return null;
}

const KIND_OF_STEP = { tool: 'tool', http: 'tool', agent: 'skill', model: 'model' } as const satisfies Record<CallStep['kind'], string>;

function fitsStep(capability: RoutableCapability, step: RouteRequest['step']): boolean {
  return capability.kind === KIND_OF_STEP[step];
}

/** Inputs that the schema requires and the step does not give, and inputs that a closed schema does not know. */
function missingInputs(schema: Json | null, inputs: readonly string[]): string[] {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return [];
  const required = Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === 'string') : [];
  const missing = required.filter((name) => !inputs.includes(name));
  const { properties } = schema;
  if (schema.additionalProperties !== false || typeof properties !== 'object' || properties === null || Array.isArray(properties))
    return missing;
  return [...missing, ...inputs.filter((name) => !Object.hasOwn(properties, name))];
}

function partsOf(capability: RoutableCapability, skill: number, record: CapabilityRecord | undefined): ScoreParts {
  // one success and one failure are added, so that a single bad call does not condemn and missing data does not praise
  const health = record === undefined ? 0.75 : (record.calls - record.errors + 3) / (record.calls + 4);
  const latency = record === undefined || record.p95Ms === 0 ? 0.5 : HALF_LATENCY_MS / (HALF_LATENCY_MS + record.p95Ms);
  const price = capability.price === null ? null : round(HALF_PRICE / (HALF_PRICE + capability.price.input + capability.price.output));
  return { skill: round(skill), health: round(health), latency: round(latency), price };
}

function total(parts: ScoreParts): number {
  const rest = parts.skill * WEIGHTS.skill + parts.health * WEIGHTS.health + parts.latency * WEIGHTS.latency;
  return round(parts.price === null ? rest / (1 - WEIGHTS.price) : rest + parts.price * WEIGHTS.price);
}

function candidateOf(capability: RoutableCapability): Candidate {
  const { kind } = capability.connection;
  return {
    capabilityId: capability.id,
    connectionId: capability.connectionId,
    name: capability.name,
    connection: capability.connection.name,
    protocol: kind === 'mcp' || kind === 'a2a' ? kind : null,
    score: null,
    parts: null,
    excluded: null,
    chosen: false,
  };
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

function percent(value: number): number {
  return Math.round(value * 100);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

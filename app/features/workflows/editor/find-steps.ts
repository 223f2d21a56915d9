import { STEP_KINDS, type StepKind } from '#app/contracts/statuses.ts';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import type { ToolEffect } from '#app/domain/connections/tool-findings.ts';
import { STEP_RULES } from '#app/domain/workflows/steps/step.ts';
import type { StepTarget } from '#app/engine/workflows/load-catalogue.ts';

/** Something that can be added: a step that calls this, or, without a target, a step of a kind. */
export type FoundStep = {
  kind: StepKind;
  title: string;
  description: string;
  /** Absent for a kind. */
  /** `connection` and `effect`: null for an agent or a workflow of the workspace, whose steps have their own. */
  target?: { value: string; connection: string | null; approved: boolean; effect: ToolEffect | null };
};

/** As many as one reads. */
const MOST = 40;
const MAX_DESCRIPTION = 200;

/**
 * Steps that can be added, by what is typed: each word must stand in the title, the description or the name of the connection; those with all words
 * in the title first. `kinds`: each kind's words, which the caller translates. `more`: how many were left out.
 */
export function findSteps(
  query: string,
  kinds: Readonly<Record<StepKind, { title: string; description: string }>>,
  targets: readonly StepTarget[],
): { found: FoundStep[]; more: number } {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const all: FoundStep[] = [
    ...STEP_KINDS.map((kind) => ({ kind, ...kinds[kind] })),
    ...targets.flatMap((item): FoundStep[] => {
      // The methods of an HTTP API have a kind of their own, though a tool may be one of them, too.
      const kind = STEP_KINDS.find(
        (one) => STEP_RULES[one].protocols.includes(item.protocol) && (item.protocol === 'http') === (one === 'http'),
      );
      if (kind === undefined) return [];
      const { connection, connectionName, capability, approved, effect } = item;
      const isOwn = item.protocol === 'agent' || item.protocol === 'workflow';
      const target = {
        value: `${connection}/${capability}`,
        connection: isOwn ? null : revealedText(connectionName),
        approved,
        effect: isOwn ? null : effect,
      };
      return [{ kind, title: revealedText(item.title), description: revealedText(item.description).slice(0, MAX_DESCRIPTION), target }];
    }),
  ];
  const rankOf = ({ title, description, target }: FoundStep): number => {
    const [head, rest] = [title, `${description} ${target?.connection ?? ''}`].map((text) => text.toLowerCase());
    if (words.every((word) => head?.includes(word))) return 0;
    return words.every((word) => head?.includes(word) || rest?.includes(word)) ? 1 : 2;
  };
  const ranked = all.map((step) => ({ step, rank: rankOf(step) })).filter(({ rank }) => rank < 2);
  const found = ranked.toSorted((a, b) => a.rank - b.rank).map(({ step }) => step);
  return { found: found.slice(0, MOST), more: Math.max(0, found.length - MOST) };
}

import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import { renamedStep } from '#app/domain/workflows/edit/renamed-step.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import type { WorkflowDocument } from '#app/domain/workflows/workflow.ts';

/** Takes pinned outputs along to what an edit made of their steps. Returns the names of the steps that are gone with theirs. */
export async function settlePins(db: Db, artifactId: string, before: WorkflowDocument, after: WorkflowDocument): Promise<string[]> {
  const renamed = renamedStep(before, after);
  const ids = [...walkSteps(after.steps)].map(({ step }) => step.id);
  const { rows } = await sql<{ gone: string[] }>`
    select quorate.settle_pins(${artifactId}, ${renamed?.from ?? null}, ${renamed?.to ?? null}, ${ids}::text[]) as gone`.execute(db);
  const names = new Map([...walkSteps(before.steps)].map(({ step }) => [step.id, step.name]));
  return (rows[0]?.gone ?? []).map((id) => names.get(id) ?? id);
}

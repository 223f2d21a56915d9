import { sql } from 'kysely';
import { z } from 'zod';
import { impactAnswersSchema } from '#app/domain/inventory/impact-assessment.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { findAgent } from '#app/engine/inventory/find-agent.ts';
import { readAgentFacts } from '#app/engine/inventory/read-agent-facts.ts';

/** Keeps the next version of an agent's impact assessment, with the facts as they are. `revision`: the version that it is written over; 0: none. */
export const assessAgent = defineCommand({
  permission: 'keepInventory',
  scope: null,
  input: z.object({ agent: idSchema, revision: z.int().min(0), answers: impactAnswersSchema }),
  actions: ['agent.assessed'],
  changes: ['quorate.impact_assessments'],
  repeat: 'byRevision',
  refusals: {
    QI001: { code: 'not_found', reasons: [{ key: 'agentGone' }] },
    QI007: { code: 'conflict', reasons: [{ key: 'assessmentChanged' }] },
  },
  async change({ db, principal, newId, now }, { agent, revision, answers }) {
    const found = await findAgent(db, principal.workspace.id, agent);
    const facts = await readAgentFacts(db, principal.workspace.id, found, now());
    const { rows } = await sql<{ number: number }>`
      select quorate.put_impact_assessment(${newId()}, ${found.id}, ${revision}, ${JSON.stringify(answers)}::jsonb,
        ${JSON.stringify(facts)}::jsonb) as number`.execute(db);
    const number = rows[0]?.number ?? revision + 1;
    return {
      result: { number },
      event: { action: 'agent.assessed', resource: { kind: 'agent', id: found.id, name: found.name }, payload: { number, answers, facts } },
    };
  },
});

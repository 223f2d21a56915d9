import { sql } from 'kysely';
import { z } from 'zod';
import { CONTROL_REASON_MAX } from '#app/domain/control/control-reason.ts';
import { DATA_CLASSES, lowersRisk, PURPOSE_MAX, RISK_CLASSES } from '#app/domain/inventory/agent-record.ts';
import { defineCommand, type EventOf, idSchema } from '#app/engine/commands/command.ts';
import {
  CONTROL_REFUSALS,
  type ControlOutcome,
  requestControlChange,
  secondPersonAgrees,
} from '#app/engine/control/request-control-change.ts';
import { findAgent } from '#app/engine/inventory/find-agent.ts';
import { type AgentRecord, NO_RECORD, readAgentRecord } from '#app/engine/inventory/read-agent-record.ts';

/**
 * Writes what the inventory says of an agent: its owner, purpose, risk class, data and the day of its next review. A lower risk class waits
 * for another person where there is one (result `requested`); the rest is written at once.
 */
export const recordAgent = defineCommand({
  permission: 'keepInventory',
  scope: null,
  input: z.object({
    agent: idSchema,
    owner: idSchema.nullable(),
    purpose: z.string().trim().max(PURPOSE_MAX),
    riskClass: z.enum(RISK_CLASSES).nullable(),
    dataClasses: z.array(z.enum(DATA_CLASSES)).max(DATA_CLASSES.length),
    reviewOn: z.iso.date().nullable(),
    reason: z.string().max(CONTROL_REASON_MAX).default(''),
  }),
  actions: ['agent.recorded', 'change.requested'],
  changes: ['quorate.agent_records'],
  repeat: 'overwrites',
  weakens: ['inventory_risk'],
  refusals: {
    ...CONTROL_REFUSALS,
    QI001: { code: 'not_found', reasons: [{ key: 'agentGone' }] },
    QI006: { code: 'invalid_input', field: 'owner', reasons: [{ key: 'inventoryOwner' }] },
  },
  async change(
    call,
    { agent, reason, ...given },
  ): Promise<{ result: ControlOutcome<'done'>; event: EventOf<'agent.recorded' | 'change.requested'> }> {
    const { db, principal } = call;
    const { id, name } = await findAgent(db, principal.workspace.id, agent);
    const before = (await readAgentRecord(db, id))?.record ?? NO_RECORD;
    // One order, whatever the form's: equal records are equal.
    const after = { ...given, dataClasses: DATA_CLASSES.filter((one) => given.dataClasses.includes(one)) };
    const lowers = lowersRisk(before.riskClass, after.riskClass);
    const put = (record: AgentRecord) => sql`select quorate.put_agent_record(${id}, ${JSON.stringify(record)}::jsonb)`.execute(db);
    if (lowers && (await secondPersonAgrees(db))) {
      const kept = { ...after, riskClass: before.riskClass };
      await put(kept);
      const { result, event } = await requestControlChange(call, 'change.requested', {
        ...{ kind: 'inventory_risk', resource: { id, name }, reason },
        ...{ before: { riskClass: before.riskClass }, after: { riskClass: after.riskClass } },
      });
      return { result, event: { ...event, payload: { ...event.payload, record: { before, after: kept } } } };
    }
    await put(after);
    return {
      result: { state: 'done' },
      event: {
        action: 'agent.recorded',
        resource: { kind: 'agent', id, name },
        payload: { before, after, ...(lowers && { separated: false, reason }) },
      },
    };
  },
});

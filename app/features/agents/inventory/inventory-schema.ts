import { z } from 'zod';
import { CONTROL_REASON_MAX } from '#app/domain/control/control-reason.ts';
import { DATA_CLASSES, PURPOSE_MAX, RISK_CLASSES } from '#app/domain/inventory/agent-record.ts';

export const inventorySchema = z.object({
  owner: z.uuid().optional(),
  purpose: z.string().trim().max(PURPOSE_MAX).default(''),
  riskClass: z.enum(RISK_CLASSES).optional(),
  dataClasses: z.array(z.enum(DATA_CLASSES)).default([]),
  reviewOn: z.iso.date().optional(),
  reason: z.string().trim().max(CONTROL_REASON_MAX).default(''),
});

import { claimPayout } from '#app/domain/workflows/templates/claim-payout.ts';
import { contractReview } from '#app/domain/workflows/templates/contract-review.ts';
import { customerOnboarding } from '#app/domain/workflows/templates/customer-onboarding.ts';
import { dischargeLetter } from '#app/domain/workflows/templates/discharge-letter.ts';
import { paymentScreening } from '#app/domain/workflows/templates/payment-screening.ts';
import { purchaseRequest } from '#app/domain/workflows/templates/purchase-request.ts';
import { recordsRequest } from '#app/domain/workflows/templates/records-request.ts';
import { supplierScreening } from '#app/domain/workflows/templates/supplier-screening.ts';

/** Pieces of work that a bank, a hospital and a public office know: a demo workspace has them as workflows, with sample runs. */
export const DEMO_TEMPLATES = [
  { id: 'paymentScreening', document: paymentScreening },
  { id: 'dischargeLetter', document: dischargeLetter },
  { id: 'recordsRequest', document: recordsRequest },
] as const;
export type DemoTemplateId = (typeof DEMO_TEMPLATES)[number]['id'];

/** All run with the built-in peers, offline, but for `claimPayout`: its API and its sub-workflow are chosen first. */
export const WORKFLOW_TEMPLATES = [
  ...DEMO_TEMPLATES,
  { id: 'supplierScreening', document: supplierScreening },
  { id: 'purchaseRequest', document: purchaseRequest },
  { id: 'customerOnboarding', document: customerOnboarding },
  { id: 'claimPayout', document: claimPayout },
  { id: 'contractReview', document: contractReview },
] as const;

export type WorkflowTemplate = (typeof WORKFLOW_TEMPLATES)[number];
export type WorkflowTemplateId = WorkflowTemplate['id'];

export function findTemplate(id: string): WorkflowTemplate | null {
  return WORKFLOW_TEMPLATES.find((template) => template.id === id) ?? null;
}

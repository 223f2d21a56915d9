import { WORKFLOW_FORMAT, type WorkflowDocument, workflowDocumentSchema } from '#app/domain/workflow.ts';

/** Slugs of the built-in peers' connections, which the templates name. */
export const BUILTIN_TOOLS = 'quorate-tools';
export const BUILTIN_COPILOT = 'compliance-copilot';

const tool = (capability: string) => ({ kind: 'tool', connection: BUILTIN_TOOLS, capability });
const agent = (capability: string) => ({ kind: 'agent', connection: BUILTIN_COPILOT, capability });

function document(parts: unknown): WorkflowDocument {
  return workflowDocumentSchema.parse({ format: WORKFLOW_FORMAT, ...(parts as object) });
}

/**
 * A payment before it leaves the bank: the payee is screened against a list while its purpose is assessed for
 * obligations. A possible hit goes to a person by the workflow; a certain one is a high-risk finding, so that the
 * shipped policy stops the release note until an approver has decided.
 */
const paymentScreening = document({
  input: [
    { name: 'payee', title: 'Payee', type: 'text' },
    { name: 'amount', title: 'Amount', type: 'number' },
    { name: 'currency', title: 'Currency', type: 'choice', options: ['EUR', 'USD', 'GBP', 'CHF'] },
    { name: 'purpose', title: 'Purpose of the payment', type: 'longtext' },
    { name: 'watchlist', title: 'Names to screen against, one a line', type: 'longtext' },
  ],
  steps: [
    {
      id: 'checks',
      name: 'Check payee and purpose',
      kind: 'branch',
      mode: 'parallel',
      branches: [
        {
          label: 'payee',
          when: '',
          steps: [
            {
              id: 'screen',
              name: 'Screen the payee',
              ...tool('screen_name'),
              input: { name: '=input.payee', list: '=[$split(input.watchlist, /\\r?\\n/).$trim()[$ != ""]]' },
            },
          ],
        },
        {
          label: 'purpose',
          when: '',
          steps: [
            {
              id: 'assess',
              name: 'Assess obligations',
              ...agent('assess_obligations'),
              input: {
                text: '="Payment of " & input.amount & " " & input.currency & " to " & input.payee & ". Purpose: " & input.purpose',
                jurisdictions: '=["EU", "US"]',
              },
            },
          ],
        },
      ],
    },
    {
      id: 'triage',
      name: 'Look at a possible hit',
      kind: 'branch',
      mode: 'choose',
      branches: [
        {
          label: 'possible_hit',
          when: '=$count(steps.screen.matches) > 0 and $count(steps.screen.matches[severity = "high"]) = 0',
          steps: [
            {
              id: 'review',
              name: 'A person reviews the hit',
              kind: 'approval',
              question: 'May this payment be released in spite of the possible screening hit?',
              show: {
                Payee: '=input.payee',
                Amount: '=$string(input.amount) & " " & input.currency',
                Hits: '=steps.screen.matches',
                Purpose: '=input.purpose',
              },
              risk: 'medium',
            },
          ],
        },
        { label: 'otherwise', when: '', steps: [] },
      ],
    },
    {
      id: 'note',
      name: 'Redact the release note',
      ...tool('redact_text'),
      input: { text: '="Released: " & $string(input.amount) & " " & input.currency & " to " & input.payee & ". " & input.purpose' },
    },
  ],
  output:
    '={ "released": true, "hits": $count(steps.screen.matches), "obligations": $count(steps.assess.obligations), "note": steps.note.text }',
  manualMinutes: 25,
});

/**
 * A discharge letter on its way out of the hospital: what identifies the patient is masked first and the masked letter is
 * checked. Where the check still finds something, that is a high-risk finding, and the shipped policy lets nothing follow
 * before an approver has looked.
 */
const dischargeLetter = document({
  input: [
    { name: 'letter', title: 'Discharge letter', type: 'longtext' },
    { name: 'admitted', title: 'Date of admission', type: 'date' },
    { name: 'discharged', title: 'Date of discharge', type: 'date' },
  ],
  steps: [
    { id: 'redact', name: 'Mask what identifies the patient', ...tool('redact_text'), input: { text: '=input.letter' } },
    { id: 'check', name: 'Check the masked letter', ...tool('detect_personal_data'), input: { text: '=steps.redact.text' } },
    {
      id: 'accompany',
      name: 'What goes with the letter',
      kind: 'branch',
      mode: 'parallel',
      branches: [
        {
          label: 'stay',
          when: '',
          steps: [
            {
              id: 'days',
              name: 'Length of the stay',
              ...tool('compare_dates'),
              input: { from: '=input.admitted', to: '=input.discharged' },
            },
          ],
        },
        {
          label: 'law',
          when: '',
          steps: [
            {
              id: 'assess',
              name: 'Assess obligations',
              ...agent('assess_obligations'),
              input: { text: '=steps.redact.text', jurisdictions: '=["EU", "US"]' },
            },
          ],
        },
      ],
    },
  ],
  output:
    '={ "letter": steps.redact.text, "masked": steps.redact.redactions, "left": steps.check.count, "days": steps.days.days, "obligations": $count(steps.assess.obligations) }',
  manualMinutes: 15,
});

/** A request for records at a public office: due date, what must be withheld, and a decision by an officer before release. */
const recordsRequest = document({
  input: [
    { name: 'request', title: 'Request', type: 'longtext' },
    { name: 'record', title: 'Record that was asked for', type: 'longtext' },
    { name: 'received', title: 'Received on', type: 'date' },
    { name: 'today', title: 'Answered on', type: 'date' },
  ],
  steps: [
    { id: 'elapsed', name: 'Days since the request', ...tool('compare_dates'), input: { from: '=input.received', to: '=input.today' } },
    { id: 'redact', name: 'Withhold personal data', ...tool('redact_text'), input: { text: '=input.record' } },
    {
      id: 'assess',
      name: 'Assess obligations',
      ...agent('assess_obligations'),
      input: { text: '=input.request', jurisdictions: '=["US", "EU"]' },
    },
    {
      id: 'release',
      name: 'An officer decides',
      kind: 'approval',
      question: 'May this record be released as shown?',
      show: { Request: '=input.request', 'Record as released': '=steps.redact.text', 'Days since the request': '=steps.elapsed.days' },
      risk: 'medium',
      dueHours: 48,
    },
  ],
  output: '={ "record": steps.redact.text, "daysUsed": steps.elapsed.days, "late": steps.elapsed.days > 20 }',
  manualMinutes: 40,
});

/** Three pieces of work that a bank, a hospital and a public office know; all run with the built-in peers, offline. */
export const WORKFLOW_TEMPLATES = [
  { id: 'paymentScreening', document: paymentScreening },
  { id: 'dischargeLetter', document: dischargeLetter },
  { id: 'recordsRequest', document: recordsRequest },
] as const;

export type WorkflowTemplate = (typeof WORKFLOW_TEMPLATES)[number];
export type WorkflowTemplateId = WorkflowTemplate['id'];

export function findTemplate(id: string): WorkflowTemplate | null {
  return WORKFLOW_TEMPLATES.find((template) => template.id === id) ?? null;
}

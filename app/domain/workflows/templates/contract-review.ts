import { agent, templateDocument } from '#app/domain/workflows/templates/template-document.ts';

/**
 * A contract that came in as a file: its text is read, or typed by a person where that fails; its obligations are assessed, a person decides, and
 * a Word document keeps the result.
 */
export const contractReview = templateDocument({
  input: [
    { name: 'counterparty', title: 'Counterparty', type: 'text' },
    { name: 'contract', title: 'Contract', type: 'file', required: false },
  ],
  subject: '{{ input.counterparty }}',
  steps: [
    {
      id: 'reading',
      name: 'Read the contract',
      kind: 'try',
      branches: [
        {
          label: 'steps',
          steps: [
            { id: 'file', name: 'Read the file', kind: 'read_document', file: '=input.contract' },
            {
              id: 'found',
              name: 'Take its text',
              kind: 'transform',
              expression: '=($assert($length($trim(steps.file.text)) > 0, "no text"); steps.file.text)',
            },
          ],
        },
        {
          label: 'on_error',
          steps: [
            {
              id: 'typed',
              name: 'Ask for its text',
              kind: 'human_task',
              question: 'The contract could not be read from a file. What does it say?',
              fields: [{ name: 'text', title: 'Text of the contract', type: 'longtext' }],
              show: { Counterparty: '=input.counterparty' },
              to: 'starter',
            },
          ],
        },
      ],
    },
    {
      id: 'assess',
      name: 'Assess obligations',
      ...agent('assess_obligations'),
      input: { text: '=steps.reading.failed ? steps.reading.output.answer.text : steps.reading.output', jurisdictions: '=["US", "EU"]' },
    },
    {
      id: 'decide',
      name: 'A person decides on the contract',
      kind: 'approval',
      question: 'May we sign this contract?',
      sentence: 'Sign the contract with {{ input.counterparty }}',
      show: { Counterparty: '=input.counterparty', Obligations: '=[steps.assess.obligations.(regulation & ", " & article)]' },
      risk: 'medium',
    },
    {
      id: 'summary',
      name: 'Write the summary',
      kind: 'create_document',
      format: 'docx',
      fileName: '=input.counterparty',
      template:
        '# {{ input.counterparty }}\n\n{{ steps.assess.summary }}\n\n{{ [steps.assess.obligations.{"regulation": regulation, "article": article, "duty": duty}] }}',
    },
  ],
  output: '={ "obligations": $count(steps.assess.obligations), "document": steps.summary, "approvedBy": steps.decide.approvers }',
  manualMinutes: 45,
  samples: [{ name: 'A contract without a file', input: { counterparty: 'Harbour Logistics' } }],
});

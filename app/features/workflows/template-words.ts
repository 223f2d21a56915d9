import type { TFunction } from 'i18next';
import { withoutTurns } from '#app/domain/turned-text.ts';
import type { Step, WorkflowDocument } from '#app/domain/workflow.ts';
import type { WorkflowTemplateId } from '#app/domain/workflow-templates.ts';

export function templateWords(t: TFunction<'workflows'>): Record<WorkflowTemplateId, { title: string; description: string }> {
  return {
    paymentScreening: { title: t('templates.paymentScreening.title'), description: t('templates.paymentScreening.description') },
    dischargeLetter: { title: t('templates.dischargeLetter.title'), description: t('templates.dischargeLetter.description') },
    recordsRequest: { title: t('templates.recordsRequest.title'), description: t('templates.recordsRequest.description') },
  };
}

/** What people read of the templates' fields, steps and questions: the English of the documents, and where it stands in the reader's words. */
const WORDS = {
  Payee: 'payee',
  Amount: 'amount',
  Currency: 'currency',
  'Purpose of the payment': 'purpose',
  'Names to screen against, one a line': 'watchlist',
  'Discharge letter': 'letter',
  'Date of admission': 'admitted',
  'Date of discharge': 'discharged',
  Request: 'request',
  'Record that was asked for': 'record',
  'Received on': 'received',
  'Answered on': 'answered',
  'Check payee and purpose': 'checks',
  'Screen the payee': 'screen',
  'Assess obligations': 'assess',
  'Look at a possible hit': 'triage',
  'A person reviews the hit': 'review',
  'A person decides on the release': 'release',
  'May this payment be released although its payee is on the list?': 'listedQuestion',
  'Redact the release note': 'note',
  'Mask what identifies the patient': 'mask',
  'Check the masked letter': 'check',
  'Look at what the check still found': 'remaining',
  'A person decides on the letter': 'letterDecision',
  'May this letter leave although the check still found personal data?': 'letterQuestion',
  Letter: 'letterShown',
  Found: 'found',
  'What goes with the letter': 'accompany',
  'Length of the stay': 'stay',
  'Days since the request': 'elapsed',
  'Withhold personal data': 'withhold',
  'An officer decides': 'officer',
  'May this payment be released in spite of the possible screening hit?': 'reviewQuestion',
  'May this record be released as shown?': 'releaseQuestion',
  Hits: 'hits',
  Purpose: 'reason',
  'Record as released': 'released',
} as const;

/** A template's document in the words of a reader. Ids and expressions are the same in every language. */
export function translateTemplate(document: WorkflowDocument, t: TFunction<'workflows'>): WorkflowDocument {
  const say = (english: string) =>
    Object.hasOwn(WORDS, english) ? withoutTurns(t(`templates.words.${WORDS[english as keyof typeof WORDS]}`)) : english;
  const translate = (step: Step): Step => {
    const name = say(step.name);
    if (step.kind === 'branch')
      return { ...step, name, branches: step.branches.map((branch) => ({ ...branch, steps: branch.steps.map(translate) })) };
    if (step.kind !== 'approval') return { ...step, name };
    const show = Object.fromEntries(Object.entries(step.show).map(([label, value]) => [say(label), value]));
    return { ...step, name, question: say(step.question), show };
  };
  return {
    ...document,
    input: document.input.map((field) => ({ ...field, title: say(field.title) })),
    steps: document.steps.map(translate),
  };
}

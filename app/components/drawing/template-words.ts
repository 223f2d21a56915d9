import type { TFunction } from 'i18next';
import { stripBidiControls } from '#app/domain/web/bidi-controls.ts';
import { changeTexts } from '#app/domain/workflows/fields/value-texts.ts';
import type { InputField } from '#app/domain/workflows/steps/input-field.ts';
import type { Step } from '#app/domain/workflows/steps/step.ts';
import { BRANCH_WORDS, sentencePlaces, TEMPLATE_SENTENCES, TEMPLATE_WORDS } from '#app/domain/workflows/template-words.ts';
import type { WorkflowDocument } from '#app/domain/workflows/workflow.ts';
import type { WorkflowTemplateId } from '#app/domain/workflows/workflow-templates.ts';

/** In the order in which they are offered. */
export function templateWords(t: TFunction<'workflows'>): Record<WorkflowTemplateId, { title: string; description: string }> {
  return {
    paymentScreening: { title: t('templates.paymentScreening.title'), description: t('templates.paymentScreening.description') },
    dischargeLetter: { title: t('templates.dischargeLetter.title'), description: t('templates.dischargeLetter.description') },
    recordsRequest: { title: t('templates.recordsRequest.title'), description: t('templates.recordsRequest.description') },
    supplierScreening: { title: t('templates.supplierScreening.title'), description: t('templates.supplierScreening.description') },
    purchaseRequest: { title: t('templates.purchaseRequest.title'), description: t('templates.purchaseRequest.description') },
    customerOnboarding: { title: t('templates.customerOnboarding.title'), description: t('templates.customerOnboarding.description') },
    claimPayout: { title: t('templates.claimPayout.title'), description: t('templates.claimPayout.description') },
    contractReview: { title: t('templates.contractReview.title'), description: t('templates.contractReview.description') },
  };
}

/** A template's document in the words of a reader. Ids and expressions are the same in every language. */
export function translateTemplate(document: WorkflowDocument, t: TFunction<'workflows'>): WorkflowDocument {
  const say = (english: string) =>
    Object.hasOwn(TEMPLATE_WORDS, english)
      ? stripBidiControls(t(`templates.words.${TEMPLATE_WORDS[english as keyof typeof TEMPLATE_WORDS]}`))
      : english;
  const saySentence = (english: string) =>
    Object.hasOwn(TEMPLATE_SENTENCES, english)
      ? stripBidiControls(t(`templates.words.${TEMPLATE_SENTENCES[english as keyof typeof TEMPLATE_SENTENCES]}`, sentencePlaces(english)))
      : english;
  const inWords = ({ fields, ...field }: InputField): InputField => ({
    ...field,
    title: say(field.title),
    ...(fields !== undefined && { fields: fields.map(inWords) }),
  });
  const translate = (step: Step): Step => {
    const name = say(step.name);
    if ('branches' in step)
      return { ...step, name, branches: step.branches.map((branch) => ({ ...branch, steps: branch.steps.map(translate) })) };
    if (!('question' in step)) return { ...step, name };
    const show = Object.fromEntries(Object.entries(step.show).map(([label, value]) => [say(label), value]));
    if (!('fields' in step)) {
      const sentence = step.sentence === undefined ? {} : { sentence: saySentence(step.sentence) };
      return { ...step, name, question: say(step.question), ...sentence, show };
    }
    return { ...step, name, question: say(step.question), show, fields: step.fields.map(inWords) };
  };
  return {
    ...document,
    input: document.input.map(inWords),
    steps: document.steps.map(translate),
  };
}

/** The steps of a template with a title beside each branch's label: to be shown, not stored. */
export function titleBranches(steps: readonly Step[], t: TFunction<'workflows'>): Step[] {
  return steps.map((step): Step => {
    if (!('branches' in step)) return step;
    const branches = step.branches.map((branch) => {
      const word = Object.hasOwn(BRANCH_WORDS, branch.label) ? BRANCH_WORDS[branch.label as keyof typeof BRANCH_WORDS] : null;
      return { ...branch, ...(word !== null && { title: t(`templates.words.${word}`) }), steps: titleBranches(branch.steps, t) };
    });
    return { ...step, branches };
  });
}

/** The same samples with the texts that `say` knows in other words. Names, numbers and dates stay. */
export function translateSamples(document: WorkflowDocument, say: (text: string) => string): WorkflowDocument {
  if (document.samples === undefined) return document;
  const samples = document.samples.map(({ name, input }) => ({
    name: say(name),
    input: Object.fromEntries(Object.entries(input).map(([field, value]) => [field, changeTexts(value, say)])),
  }));
  return { ...document, samples };
}

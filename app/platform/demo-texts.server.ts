import { translatorFor } from '#app/platform/i18n/i18n.server.ts';

/** The words of the demo workspace; English, as the people in it may choose any language of their own. */
export function demoTexts() {
  const t = translatorFor('en', 'workflows');
  return {
    name: translatorFor('en', 'common')('demoWorkspace'),
    texts: {
      paymentScreening: { name: t('templates.paymentScreening.title'), description: t('templates.paymentScreening.description') },
      dischargeLetter: { name: t('templates.dischargeLetter.title'), description: t('templates.dischargeLetter.description') },
      recordsRequest: { name: t('templates.recordsRequest.title'), description: t('templates.recordsRequest.description') },
    },
  };
}

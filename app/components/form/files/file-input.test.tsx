import { createInstance } from 'i18next';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { expect, test } from 'vitest';
import { FileInput } from '#app/components/form/files/file-input.tsx';
import inputs from '#locales/de/inputs.json' with { type: 'json' };

const i18n = createInstance({ lng: 'de', resources: { de: { inputs } } });
await i18n.init();
const draw = (multiple: boolean) =>
  renderToStaticMarkup(
    <I18nextProvider i18n={i18n}>
      <FileInput id="paper" name="paper" multiple={multiple} aria-invalid />
    </I18nextProvider>,
  );

test('the button speaks the language of the page', () => {
  expect(draw(false)).toContain('>Datei auswählen<');
  expect(draw(true)).toContain('>Dateien auswählen<');
});

test('without scripts the control of the browser is seen, which alone can say what was chosen', () => {
  const input = /<input[^>]*>/.exec(draw(false))?.[0] ?? '';
  expect(input).not.toMatch(/opacity|absolute/);
  expect(input).toMatch(/type="file"/);
  expect(draw(false)).not.toContain(inputs.noFile);
});

test('pressing anywhere on it opens the choice, and its name stays that of the field', () => {
  const drawn = draw(false);
  expect(drawn).toMatch(/^<label for="paper"/);
  expect(drawn.match(/<span(?![^>]*aria-hidden="true")/)).toBeNull();
});

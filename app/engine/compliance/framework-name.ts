import type { Language } from '#app/domain/web/languages.ts';
import { loadLawWords } from '#app/engine/compliance/law-words.ts';
import { loadLaws } from '#app/engine/compliance/laws.ts';

/** The name of a law or standard in the reader's language; its id where the list no longer has it. */
export async function frameworkName(id: string, language: Language): Promise<string> {
  const law = (await loadLaws()).laws.find((one) => one.id === id);
  return law === undefined ? id : (await loadLawWords(language)).law(law).name;
}

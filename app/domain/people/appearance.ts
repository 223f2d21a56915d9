export const THEMES = ['light', 'dark', 'system'] as const;
export type Theme = (typeof THEMES)[number];

export const DENSITIES = ['comfortable', 'compact'] as const;
export type Density = (typeof DENSITIES)[number];

/** The five accessibility settings, by the names under which browsers store them. */
export const ACCESSIBILITY_NAMES = ['highContrast', 'reduceMotion', 'largerText', 'keyboardNavigation', 'screenReaderMode'] as const;
export type AccessibilityName = (typeof ACCESSIBILITY_NAMES)[number];
export type AccessibilitySettings = Readonly<Record<AccessibilityName, boolean>>;

/** How the product looks and behaves to one person. */
export type Appearance = { theme: Theme; density: Density; accessibility: AccessibilitySettings };

export const DEFAULT_ACCESSIBILITY: AccessibilitySettings = {
  highContrast: false,
  reduceMotion: false,
  largerText: false,
  keyboardNavigation: true,
  screenReaderMode: false,
};

export const DEFAULT_APPEARANCE: Appearance = { theme: 'system', density: 'comfortable', accessibility: DEFAULT_ACCESSIBILITY };

const CLASSES: Record<AccessibilityName, string> = {
  highContrast: 'high-contrast',
  reduceMotion: 'reduce-motion',
  largerText: 'larger-text',
  keyboardNavigation: 'keyboard-navigation',
  screenReaderMode: 'screen-reader-mode',
};

/** The classes of the document for the settings that are on. */
export function accessibilityClasses(settings: AccessibilitySettings): string {
  return ACCESSIBILITY_NAMES.filter((name) => settings[name])
    .map((name) => CLASSES[name])
    .join(' ');
}

/** Settings as stored, JSON of the five; a missing or invalid one has its default. Null for anything else. */
export function parseAccessibility(text: string | null): AccessibilitySettings | null {
  if (text === null) return null;
  try {
    const stored: unknown = JSON.parse(text);
    return typeof stored === 'object' && stored !== null && !Array.isArray(stored) ? accessibilityOf(stored) : null;
  } catch {
    return null;
  }
}

/** Always the same text for the same settings. */
export function formatAccessibility(settings: AccessibilitySettings): string {
  return JSON.stringify(Object.fromEntries(ACCESSIBILITY_NAMES.map((name) => [name, settings[name]])));
}

/** An appearance out of a row of preferences; null where none was ever kept. */
export function appearanceOf(stored: unknown): Appearance | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { theme, density, accessibility } = stored as Record<string, unknown>;
  return {
    theme: THEMES.find((known) => known === theme) ?? DEFAULT_APPEARANCE.theme,
    density: DENSITIES.find((known) => known === density) ?? DEFAULT_APPEARANCE.density,
    accessibility: typeof accessibility === 'object' && accessibility !== null ? accessibilityOf(accessibility) : DEFAULT_ACCESSIBILITY,
  };
}

function accessibilityOf(stored: object): AccessibilitySettings {
  const values = stored as Record<string, unknown>;
  const settings = { ...DEFAULT_ACCESSIBILITY } as Record<AccessibilityName, boolean>;
  for (const name of ACCESSIBILITY_NAMES) if (typeof values[name] === 'boolean') settings[name] = values[name];
  return settings;
}

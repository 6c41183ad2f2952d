import { useFetcher } from "react-router";

export type Theme = "light" | "synthwave";

export const themeOf = (value: unknown): Theme => (value === "synthwave" ? "synthwave" : "light");

/** The browser's own bars around the page: the background of each theme. */
export const barColours: Record<Theme, string> = { light: "#f3efe7", synthwave: "#09002f" };

/** The cookie that stores the choice; the server reads it before the first paint. */
export function themeCookie(theme: Theme, secure: boolean): string {
  const attributes = `Path=/; Max-Age=31536000; SameSite=Lax${secure ? "; Secure" : ""}`;
  return `theme=${theme}; ${attributes}`;
}

/** The choice that is being saved; shared by the settings and the document. */
export const useThemeFetcher = () => useFetcher({ key: "theme" });

/** The theme to show: the one just chosen, otherwise the one the server knows. */
export function useTheme(known: Theme): Theme {
  const { formData } = useThemeFetcher();
  return formData ? themeOf(formData.get("theme")) : known;
}

/** Functions without their first parameter. */
type Bound<Functions> = {
  [Name in keyof Functions]: Functions[Name] extends (
    needs: never,
    ...given: infer Given
  ) => infer Answer
    ? (...given: Given) => Answer
    : never;
};

/**
 * The functions of a module as methods of a feature: what they need is given once, in front of what their
 * callers give, so that their parameters are declared once.
 */
export const bind = <
  Needs,
  Functions extends Record<string, (needs: Needs, ...given: never[]) => unknown>,
>(
  needs: Needs,
  functions: Functions,
) =>
  Object.fromEntries(
    Object.entries(functions).map(([name, work]) => [name, work.bind(null, needs)]),
  ) as Bound<Functions>;

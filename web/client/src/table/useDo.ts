import type { Answer } from "@cardroom/sdk";
import { useVisit } from "../app/context.js";
import { useNumerals, useTexts } from "../app/hooks.js";
import { failureText } from "../texts/failure.js";

/** Does something at the room, and tells in a notice why it was not done. */
export function useDo(currency: string): <T>(answer: Promise<Answer<T>>) => Promise<Answer<T>> {
  const visit = useVisit();
  const texts = useTexts();
  const numerals = useNumerals();
  return async (promise) => {
    const answer = await promise;
    if (!answer.ok) visit.notices.tell(failureText(answer.error, texts, numerals, currency));
    return answer;
  };
}

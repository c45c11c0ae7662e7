// Checked by the compiler, never run: the types of the published requests must equal the schemas'
// types. They exist twice because zod can't be published; any difference is a compile error.
import type * as shipped from '../nodes/shared/service/contract.ts';
import type {
	AnalyticsMetric,
	AnalyticsQuery,
	CarrierQuery,
	ConversationQuery,
	ListQuery,
	Metadata,
} from './contract.mts';

/** Flattens intersections and `extends`, so that equal types compare as equal. */
type Plain<T> = T extends object ? { [Key in keyof T]: Plain<T[Key]> } : T;

type Same<A, B> =
	(<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false;

/** Compiles only if each pair is the same type. */
type AllSame<Pairs extends Record<string, true>> = Pairs;

export type ShippedTypesAreTheContract = AllSame<{
	listQuery: Same<shipped.ListQuery, ListQuery>;
	conversationQuery: Same<shipped.ConversationQuery, ConversationQuery>;
	carrierQuery: Same<shipped.CarrierQuery, CarrierQuery>;
	analyticsMetric: Same<shipped.AnalyticsMetric, AnalyticsMetric>;
	analyticsQuery: Same<shipped.AnalyticsQuery, AnalyticsQuery>;
	metadata: Same<shipped.Metadata, Metadata>;
}>;

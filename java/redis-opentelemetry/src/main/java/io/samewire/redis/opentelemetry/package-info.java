/** {@link io.samewire.redis.opentelemetry.OpenTelemetryObserver}: the client's spans and metrics by OpenTelemetry. */
package io.samewire.redis.opentelemetry;

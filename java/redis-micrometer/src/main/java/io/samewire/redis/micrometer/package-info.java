/** {@link io.samewire.redis.micrometer.MicrometerObserver}: the client's metrics in a registry of Micrometer. */
package io.samewire.redis.micrometer;
